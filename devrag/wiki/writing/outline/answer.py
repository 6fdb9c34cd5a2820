"""Reads a model's answer to the digest: pages, their members by number."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from devrag.core.text import shorten
from devrag.wiki.evidence.blocks import plain
from devrag.wiki.writing.outline.types import PageDesign, SectionDesign

MOST_SECTIONS = 7
_LONGEST_TITLE, _LONGEST_QUESTION = 60, 240
_MARKUP = re.compile(r"[<>\[\]`|*\\\x00-\x1f]+|https?:\S*")
_RANGE = re.compile(r"(T?)(\d{1,5})(?:\s*[-–]\s*(T?)(\d{1,5}))?")
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}


def object_schema(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that has all of these and nothing else."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_SECTION = object_schema({"title": _TEXT, "question": _TEXT})
_PAGE = object_schema(
    {
        "title": _TEXT,
        "question": _TEXT,
        "parent": _TEXT,
        "code": _TEXTS,
        "documents": _TEXTS,
        "sections": {"type": "array", "items": _SECTION},
    }
)
SCHEMA = object_schema({"pages": {"type": "array", "items": _PAGE}})


@dataclass(frozen=True, slots=True)
class AnsweredPage:
    """A page of the answer. entries, topics, documents: numbers as in the digest."""

    title: str
    parent: str
    design: PageDesign
    entries: frozenset[int]
    topics: frozenset[int]
    documents: frozenset[int]


def read_design(text: str) -> list[AnsweredPage]:
    """Return the pages of an answer. Raises ValueError.

    Of an answer that was cut, the pages that are whole.
    """
    pages = [page for each in _pages(text) if (page := _page(each)) is not None]
    if not pages:
        raise ValueError('the answer holds no JSON object with a list of "pages"')
    return pages


def _pages(text: str) -> Iterator[Any]:
    start = text.find("[", text.find('"pages"'))
    decoder = json.JSONDecoder()
    at = start + 1
    while start >= 0:
        while at < len(text) and text[at] in " \r\n\t,":
            at += 1
        try:
            page, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield page


def _page(data: Any) -> AnsweredPage | None:
    if not isinstance(data, dict):
        return None
    title = clean_title(str(data.get("title") or ""))
    if not title:
        return None
    code = _texts(data.get("code"))
    numbers = [pair for each in code for pair in _numbers(each)]
    documents = [n for each in _texts(data.get("documents")) for _, n in _numbers(each)]
    sections = data.get("sections")
    listed = sections if isinstance(sections, list) else []
    found = [section for each in listed if (section := _section(each)) is not None]
    return AnsweredPage(
        title=title,
        parent=clean_title(str(data.get("parent") or "")),
        design=PageDesign(_question(data), tuple(found[:MOST_SECTIONS])),
        entries=frozenset(n for is_topic, n in numbers if not is_topic),
        topics=frozenset(n for is_topic, n in numbers if is_topic),
        documents=frozenset(documents),
    )


def _section(data: Any) -> SectionDesign | None:
    title = clean_title(str(data.get("title") or "")) if isinstance(data, dict) else ""
    return SectionDesign(title, _question(data)) if title else None


def _question(data: dict[str, Any]) -> str:
    said = _MARKUP.sub(" ", str(data.get("question") or ""))
    return shorten(" ".join(said.split()), _LONGEST_QUESTION)


def clean_title(said: str) -> str:
    """Return a title without markup."""
    bare = " ".join(plain(_MARKUP.sub(" ", said)).split())
    return shorten(bare.strip("# "), _LONGEST_TITLE)


def _texts(value: Any) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else []


def _numbers(text: str) -> Iterator[tuple[bool, int]]:
    """Yield (is a topic, number) of `7`, `7-9`, `T2`, `D4`, `T1-T3`."""
    for mark, first, _, last in _RANGE.findall(text):
        end = min(int(last or first), int(first) + 2_000)
        for number in range(int(first), end + 1):
            yield bool(mark), number
