"""PDF bytes to text: pages with a form feed between them, bookmarks as headings.

The text of a page: its bookmarks as `# Title` lines, a blank line, its words. A page's
number is thus its place, and later steps need nothing but the text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from devrag.core.text import clean_text, normalise_newlines
from devrag.parsing.decoding import Decoded, Unreadable
from devrag.parsing.documents.reader_process import run_reader

PAGE_BREAK = "\f"
_MAGIC = b"%PDF-"
_MAGIC_WITHIN_BYTES = 1024  # ISO 32000-1, implementation note 13
_READER = Path(__file__).with_name("pdf_reader.py")
_TITLE_LIMIT = 300


@dataclass
class _Reading:
    """What the reader has told so far."""

    error: str = ""
    page_count: int = 0
    outline: list[tuple[int, str, int]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    problems: dict[int, str] = field(default_factory=dict)


def is_pdf(path: str, data: bytes) -> bool:
    """Return whether the bytes are a PDF.

    Junk before the header only in `.pdf` files.
    """
    reach = _MAGIC_WITHIN_BYTES if path.lower().endswith(".pdf") else 0
    return _MAGIC in data[: reach + len(_MAGIC)]


def read_pdf(data: bytes) -> Decoded | Unreadable:
    """Return the text of a PDF, or why it has none; bounded in time and memory."""
    output, is_late = run_reader(["-I", str(_READER)], data, {})
    reading = _collect(output)
    if reading.error:
        return Unreadable(reading.error)
    if not reading.page_count:
        why = "too slow to read" if is_late else "its reader stopped, out of memory"
        return Unreadable(f"broken PDF ({why})")
    if not any(text.strip() for text in reading.texts):
        return Unreadable(_no_text(reading))
    return Decoded(_join(reading), "pdf", tuple(_warnings(reading)))


def _collect(output: bytes) -> _Reading:
    reading = _Reading()
    # Without a line end the last line was cut off.
    for line in output.split(b"\n")[:-1]:
        _note(reading, json.loads(line))
    return reading


def _note(reading: _Reading, told: Mapping[str, Any]) -> None:
    if "text" not in told:
        reading.error = told.get("error", "")
        reading.page_count = told.get("pages", 0)
        reading.outline = told.get("outline", [])
        return
    if "problem" in told:
        reading.problems[len(reading.texts)] = told["problem"]
    reading.texts.append(_clean(told["text"]))


def _clean(text: str) -> str:
    lines = normalise_newlines(clean_text(text)).replace(PAGE_BREAK, "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def _no_text(reading: _Reading) -> str:
    if reading.problems:
        return f"broken PDF ({next(iter(reading.problems.values()))})"
    if len(reading.texts) < reading.page_count:
        return "broken PDF (too slow to read)"
    return f"scanned PDF (no text on {reading.page_count} pages)"


def _join(reading: _Reading) -> str:
    headings: dict[int, list[str]] = {}
    for depth, title, page in reading.outline:
        words = " ".join(clean_text(title).split())[:_TITLE_LIMIT]
        if words:
            headings.setdefault(page, []).append(f"{'#' * depth} {words}")
    pages = (
        "\n".join((*headings.get(number, ()), "", text))
        for number, text in enumerate(reading.texts)
    )
    return f"\n{PAGE_BREAK}\n".join(pages) + "\n"


def _warnings(reading: _Reading) -> Iterable[str]:
    read = len(reading.texts)
    empty = [
        number
        for number, text in enumerate(reading.texts, start=1)
        if not text.strip() and number - 1 not in reading.problems
    ]
    if empty:
        yield f"scanned or blank: no text on {_page_list(empty)}"
    broken = [number + 1 for number in reading.problems]
    if broken:
        why = next(iter(reading.problems.values()))
        yield f"{_page_list(broken)} could not be read ({why})"
    if read < reading.page_count:
        missing = range(read + 1, reading.page_count + 1)
        yield f"{_page_list(missing)} left out: the document is too long to read"


def _page_list(numbers: Sequence[int]) -> str:
    """Return `page 3` or `pages 3-5, 9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    parts = [f"{first}-{last}" if last > first else f"{first}" for first, last in runs]
    shown = ", ".join(parts[:20]) + (", …" if len(parts) > 20 else "")
    return f"page{'s' if len(numbers) > 1 else ''} {shown}"
