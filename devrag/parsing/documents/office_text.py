"""Office documents to Markdown, read by a process with limits (`parsing/office/`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from devrag.core.text import clean_text, normalise_newlines
from devrag.parsing.decoding import Decoded, Unreadable
from devrag.parsing.documents.reader_process import run_reader
from devrag.parsing.language import detect_language

OFFICE_LANGUAGES = frozenset({"docx", "pptx", "xlsx", "odt", "odp", "ods"})
_READER = ["-P", "-m", "devrag.parsing.office.reader"]
_ROOT = Path(__file__).parents[3]
_ZIP, _OLE2 = b"PK", bytes.fromhex("d0cf11e0a1b11ae1")
# What Office wrote before 2007, by its ending, and what it can be saved as.
_OLD = {
    **dict.fromkeys(("doc", "dot"), "docx"),
    **dict.fromkeys(("xls", "xlt"), "xlsx"),
    **dict.fromkeys(("ppt", "pps", "pot"), "pptx"),
}


def is_office(path: str, data: bytes) -> bool:
    """Return whether a file is an Office document, by its name and first bytes."""
    if not data.startswith((_ZIP, _OLE2)):
        return False
    return detect_language(path).name in OFFICE_LANGUAGES or _is_old(path, data)


def read_office(path: str, data: bytes) -> Decoded | Unreadable:
    """Return the text of a document, or why it has none; bounded in time and memory."""
    if _is_old(path, data):
        ending = _ending(path)
        return Unreadable(f"old Office document (save it as .{_OLD[ending]})")
    output, is_late = run_reader(_READER, data, {"PYTHONPATH": str(_ROOT)})
    found = _loaded(output)
    if found is None:
        why = "too slow to read" if is_late else "its reader stopped, out of memory"
        return Unreadable(f"broken Office document ({why})")
    if "error" in found:
        return Unreadable(found["error"])
    text = normalise_newlines(clean_text(found["text"]))
    if not text.strip():
        return Unreadable("Office document without text")
    encoding = detect_language(path).name
    return Decoded(text.strip("\n") + "\n", encoding, tuple(found["warnings"]))


def _loaded(output: bytes) -> dict[str, Any] | None:
    """Return what the reader wrote, None where it was cut off."""
    try:
        found = json.loads(output)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _is_old(path: str, data: bytes) -> bool:
    return _ending(path) in _OLD and data.startswith(_OLE2)


def _ending(path: str) -> str:
    return path.rpartition(".")[2].lower()
