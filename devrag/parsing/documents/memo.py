"""Memo entries of a changelog: `* Title 2024-01-15`, tags, indented text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from textwrap import dedent

from devrag.core.hashing import sha256_hex
from devrag.parsing.tokens import estimate_tokens, text_language
from devrag.parsing.types import ChunkFacts

# An entry runs to the next such line.
_ENTRY = re.compile(r"\* (?P<title>.+?) (?P<date>\d{4}-\d{2}-\d{2})\s*")
_TAGS = re.compile(r"\s*Tags:\s*(?P<tags>.*)", re.IGNORECASE)
# Keep a Changelog's `[1.2.0] - 2026-01-02`, and the ways others write it.
_RELEASE = re.compile(
    r"(?:version|release)? ?\[?v?(?P<version>\d+(?:\.\d+)+[\w.+-]*)\]?"
    r"[ ,:/–—-]*\(?(?P<date>\d{4}-\d{2}-\d{2})\)?(?: \[yanked\]| [–—-] .*)?",
    re.IGNORECASE,
)
_RELEASE_LIMIT = 100


@dataclass(frozen=True, slots=True)
class MemoEntry:
    """One memo. date: ISO 8601 or ''; text: without title, tags and indent."""

    title: str
    date: str
    tags: tuple[str, ...]
    text: str
    start_line: int
    end_line: int

    @property
    def content_hash(self) -> str:
        """Return what says whether a memo changed."""
        return sha256_hex(self.title + self.text)


def find_entries(lines: Sequence[str]) -> list[MemoEntry]:
    """Return the dated entries of a changelog, in order; none in other texts."""
    heads = [(n, match) for n, line in enumerate(lines) if (match := _head(line))]
    ends = [*(n for n, _ in heads), len(lines)][1:]
    return [
        _entry(match, n, lines[n + 1 : end])
        for (n, match), end in zip(heads, ends, strict=True)
    ]


def entry_chunks(
    path: str, entries: Sequence[MemoEntry], *, first: int
) -> Iterator[ChunkFacts]:
    """Yield one chunk per entry. first: the ordinal to begin with."""
    for ordinal, entry in enumerate(entries, start=first):
        text = entry.text or entry.title
        yield ChunkFacts(
            ordinal=ordinal,
            kind="entry",
            start_line=entry.start_line,
            end_line=entry.end_line,
            text=text,
            tokens=estimate_tokens(text),
            header=" > ".join(part for part in (path, entry.title) if part),
            heading=entry.title,
            title=entry.title,
            date=entry.date,
            tags=entry.tags,
            language=text_language(f"{entry.title}\n{text}"),
        )


def release(heading: str) -> tuple[str, str] | None:
    """Return version and date of a changelog's heading, None for other headings."""
    match = _RELEASE.fullmatch(heading[:_RELEASE_LIMIT])
    if match is None or not valid_date(match["date"]):
        return None
    return match["version"], match["date"]


def valid_date(text: str) -> str:
    """Return the ISO date that a text begins with, '' when there is none."""
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return ""


def split_tags(text: str) -> tuple[str, ...]:
    """Return the words between commas."""
    return tuple(dict.fromkeys(tag.strip() for tag in text.split(",") if tag.strip()))


def _head(line: str) -> re.Match[str] | None:
    if not line.startswith("* "):
        return None
    match = _ENTRY.fullmatch(line)
    return match if match and valid_date(match["date"]) else None


def _entry(match: re.Match[str], index: int, below: Sequence[str]) -> MemoEntry:
    lines = list(below)
    while lines and not lines[-1].strip():
        lines.pop()
    end_line = index + 1 + len(lines)
    tags: tuple[str, ...] = ()
    if lines and (found := _TAGS.fullmatch(lines[0])):
        tags = split_tags(found["tags"])
        lines = lines[1:]
    text = dedent("\n".join(lines)).strip("\n")
    return MemoEntry(match["title"], match["date"], tags, text, index + 1, end_line)
