"""Read an Office document from stdin, write its text as Markdown to stdout as JSON.

A program of its own, like the one that reads PDFs: hostile files may ask for any memory
and time, and only a process can be held to a limit. It is started by office_text.py,
sees no settings, opens no files and no connections.
"""

from __future__ import annotations

import json
import posixpath
import re
import resource
import sys
import time
from collections.abc import Iterator
from typing import Any

from devrag.parsing.office.archive import Archive
from devrag.parsing.office.errors import TOO_LARGE, Unusable, broken
from devrag.parsing.office.odf import is_odf, read_odf
from devrag.parsing.office.package import Package
from devrag.parsing.office.sheets import read_workbook
from devrag.parsing.office.slides import read_presentation
from devrag.parsing.office.word import read_word

MEMORY_BYTES = 1_000_000_000
SECONDS = 30.0
MAX_CHARACTERS = 20_000_000
_MAX_WARNINGS = 20
_ITEM = re.compile(r" *(?:-|\d{1,9}[.)]) ")


def main() -> None:
    """Write one object: `error`, or `text` and `warnings`."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    json.dump(read(sys.stdin.buffer.read()), sys.stdout)


def read(data: bytes) -> dict[str, Any]:
    """Return a document's text, or why it has none."""
    warnings: list[str] = []
    try:
        text = _joined(_bounded(_blocks(data, warnings), warnings))
    except Unusable as error:
        return {"error": error.reason}
    except MemoryError:
        return {"error": broken(TOO_LARGE).reason}
    except RecursionError:
        return {"error": broken("nested too deeply").reason}
    # The outer edge: whatever a broken file does to its reader is that file's reason.
    except Exception as error:  # noqa: BLE001
        why = " ".join(str(error).split())[:100] or type(error).__name__
        return {"error": broken(why).reason}
    return {"text": text, "warnings": warnings[:_MAX_WARNINGS]}


def _blocks(data: bytes, warnings: list[str]) -> Iterator[str]:
    """Return the blocks of a document; what it is, its own parts say."""
    archive = Archive(data)
    if is_odf(archive):
        return read_odf(archive, warnings.append)
    package = Package(archive)
    part = package.main_part().lower()
    # The usual folder, or the usual name in another one.
    names = {part.partition("/")[0], posixpath.basename(part).partition(".")[0]}
    if names & {"word", "document"}:
        return read_word(package)
    if names & {"ppt", "presentation"}:
        return read_presentation(package, warnings.append)
    if names & {"xl", "workbook"}:
        return read_workbook(package, warnings.append)
    raise broken("unknown kind")


def _joined(blocks: Iterator[str]) -> str:
    """Return blocks with a blank line between them, items of a list without one."""
    pieces: list[str] = []
    was_item = False
    for block in blocks:
        is_item = _ITEM.match(block) is not None
        if pieces:
            pieces.append("\n" if was_item and is_item else "\n\n")
        pieces.append(block)
        was_item = is_item
    return "".join(pieces)


def _bounded(blocks: Iterator[str], warnings: list[str]) -> Iterator[str]:
    """Yield blocks with words until there are too many, or time is up."""
    deadline = time.monotonic() + SECONDS
    left = MAX_CHARACTERS
    for block in blocks:
        if not block.strip():
            continue
        left -= len(block)
        if left < 0 or time.monotonic() > deadline:
            warnings.append("the rest is left out: the document is too long to read")
            return
        yield block


if __name__ == "__main__":
    main()
