"""JSON Lines: memo entries with title, date, tags and text; else windows."""

from __future__ import annotations

import json
from typing import Any

from devrag.parsing.code.chunks import window_chunks
from devrag.parsing.documents.dates import read_date
from devrag.parsing.documents.memo import (
    MemoEntry,
    clean_tags,
    entry_chunks,
    split_tags,
)
from devrag.parsing.source import Parsed, SourceText

_TEXT_KEYS = ("text", "content", "body")
_LINES_PER_CHECK = 1000


def parse_jsonl(source: SourceText) -> Parsed:
    """Return an entry a line; a file with any other line is data, cut into windows."""
    entries = []
    for number, line in enumerate(source.lines, start=1):
        if number % _LINES_PER_CHECK == 0:
            source.check_deadline()
        if not line.strip():
            continue
        entry = _entry(line, number)
        if entry is None:
            return Parsed(chunks=window_chunks(source))
        entries.append(entry)
    return Parsed(chunks=list(entry_chunks(source.path, entries, first=0)))


def _entry(line: str, number: int) -> MemoEntry | None:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    title = data.get("title")
    text = next((data[key] for key in _TEXT_KEYS if key in data), None)
    if not isinstance(title, str) or not isinstance(text, str):
        return None
    day = read_date(str(data.get("date") or ""))
    return MemoEntry(title.strip(), day, _tags(data.get("tags")), text, number, number)


def _tags(value: Any) -> tuple[str, ...]:
    if isinstance(value, list):
        return clean_tags(map(str, value))
    return split_tags(value) if isinstance(value, str) else ()
