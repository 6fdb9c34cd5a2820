"""Read a PDF from stdin, write its outline and pages to stdout as lines of JSON.

A program of its own: hostile files may ask for any memory and time, and only a process
can be held to a limit. It is started by pdf_text.py, sees no settings, opens no files.
"""

from __future__ import annotations

import json
import logging
import resource
import sys
import time
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from pypdf import PdfReader
from pypdf.errors import DependencyError, FileNotDecryptedError, LimitReachedError

MEMORY_BYTES = 1_000_000_000
SECONDS = 30.0
MAX_PAGES = 10_000
MAX_CHARACTERS = 20_000_000
MAX_HEADINGS = 5_000
MAX_DEPTH = 3


def main() -> None:
    """Write one object a line: `error`, or `pages` and `outline`, then each `text`."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    logging.disable()
    try:
        reader = PdfReader(BytesIO(sys.stdin.buffer.read()))
        if reader.is_encrypted and not reader.decrypt(""):
            _write(error="encrypted PDF")
            return
        count = len(reader.pages)
    except (FileNotDecryptedError, DependencyError, NotImplementedError):
        _write(error="encrypted PDF")
    # The outer edge: whatever a broken file does to its parser is that file's reason.
    except Exception as error:  # noqa: BLE001
        _write(error=f"broken PDF ({_cause(error)})")
    else:
        _write(pages=count, outline=_outline(reader))
        for page in _pages(reader, min(count, MAX_PAGES)):
            _write(**page)


def _write(**values: Any) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


def _cause(error: Exception) -> str:
    if isinstance(error, MemoryError | LimitReachedError):
        return "too large when unpacked"
    return " ".join(str(error).split())[:100] or type(error).__name__


def _pages(reader: PdfReader, count: int) -> Iterator[dict[str, str]]:
    deadline = time.monotonic() + SECONDS
    left = MAX_CHARACTERS
    for number in range(count):
        if left <= 0 or time.monotonic() > deadline:
            return
        try:
            text = reader.pages[number].extract_text()
        # The outer edge of one page: the others may still be sound.
        except Exception as error:  # noqa: BLE001
            yield {"text": "", "problem": _cause(error)}
        else:
            left -= len(text)
            yield {"text": text}


def _outline(reader: PdfReader) -> list[tuple[int, str, int]]:
    """Return bookmarks as (depth, title, page from 0); none when they are broken."""
    try:
        numbers = {
            page.indirect_reference.idnum: number
            for number, page in enumerate(reader.pages)
            if page.indirect_reference is not None
        }
        found = list(_bookmarks(reader.outline, 1, numbers))
    except Exception:  # noqa: BLE001 - a document without bookmarks is still a document
        return []
    return found[:MAX_HEADINGS]


def _bookmarks(
    items: list[Any], depth: int, numbers: dict[int, int]
) -> Iterator[tuple[int, str, int]]:
    for item in items:
        if isinstance(item, list):
            yield from _bookmarks(item, depth + 1, numbers)
        elif depth <= MAX_DEPTH:
            target = getattr(item.page, "idnum", None)
            if target in numbers:
                yield depth, str(item.title), numbers[target]


if __name__ == "__main__":
    main()
