"""Memos: dated entries, dated headings and what notes say about themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from textwrap import dedent

from devrag.core.hashing import sha256_hex
from devrag.parsing.documents.dates import read_date, split_date
from devrag.parsing.tokens import estimate_tokens, text_language
from devrag.parsing.types import ChunkFacts

# An entry runs to the next such line.
_ENTRY = re.compile(r"\* (?P<title>.+?) (?P<date>\d{4}-\d{2}-\d{2})\s*")
_TAGS = re.compile(r"\s*Tags:\s*(?P<tags>.*)", re.IGNORECASE)
# `[1.2.0]`, `v1.2.0`, `Version 1.2`: the version alone is the title.
_VERSION = re.compile(
    r"(?:version|release)? ?\[?v?(?P<version>\d+(?:\.\d+)+[\w.+-]*)\]?", re.IGNORECASE
)
_DATE_LINE = re.compile(
    r"[ \t*_|>-]{0,6}(?:release )?"
    r"(?:date|released|published|created|日付|日時|作成日|公開日)\W{1,6}(?P<date>.+)",
    re.IGNORECASE,
)
_NO_TAGS = {"", "null", "none", "~"}
# How many lines below a title, or a version, are asked for a date.
LINES_BELOW_TITLE, LINES_BELOW_VERSION = 6, 1
_LINE_LIMIT, _VERSION_LIMIT = 200, 100


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


def dated_heading(heading: str, below: Sequence[str]) -> tuple[str, str] | None:
    """Return title and date of a heading that has a date, None for other headings.

    below: the lines under it; a version may have its date there.
    """
    found = split_date(heading)
    version = _VERSION.fullmatch(found[0] if found else heading[:_VERSION_LIMIT])
    if found is None and version:
        day = date_below(below, LINES_BELOW_VERSION)
        found = (heading, day) if day else None
    if found is None:
        return None
    return (version["version"] if version else found[0]), found[1]


def date_below(lines: Sequence[str], count: int) -> str:
    """Return the date of a line such as `Date: 2024-05-01` among the first, or ''."""
    written = islice((line for line in lines if line.strip()), count)
    for line in written:
        if found := _DATE_LINE.match(line[:_LINE_LIMIT]):
            return read_date(found["date"])
    return ""


def split_tags(text: str) -> tuple[str, ...]:
    """Return the words between commas."""
    return clean_tags(text.split(","))


def clean_tags(words: Iterable[str]) -> tuple[str, ...]:
    """Return tags in their order, each once, without `#` and what stands for none."""
    tags = (word.strip().removeprefix("#") for word in words)
    return tuple(dict.fromkeys(tag for tag in tags if tag.lower() not in _NO_TAGS))


def _head(line: str) -> re.Match[str] | None:
    if not line.startswith("* ") or _DATE_LINE.match(line[:_LINE_LIMIT]):
        return None
    match = _ENTRY.fullmatch(line)
    return match if match and read_date(match["date"]) else None


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
    title = match["title"].rstrip(" -–—") or match["title"]
    return MemoEntry(title, match["date"], tags, text, index + 1, end_line)
