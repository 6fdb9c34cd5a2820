"""A file's bytes to the text that everything later works on."""

from __future__ import annotations

from devrag.parsing.decoding import Decoded, Unreadable, decode
from devrag.parsing.documents.office_text import (
    OFFICE_LANGUAGES,
    is_office,
    read_office,
)
from devrag.parsing.documents.pdf_text import is_pdf, read_pdf
from devrag.parsing.language_table import LANGUAGES

# What stands for the encoding of a text that a document's reader wrote.
_EXTRACTED = frozenset({"pdf", *OFFICE_LANGUAGES})
_ENDINGS = tuple(
    f".{ending}" for name in _EXTRACTED for ending in LANGUAGES[name][2].split()
)


def extract(path: str, data: bytes) -> Decoded | Unreadable:
    """Return a file's text, or why it has none; never raises for its content."""
    if is_pdf(path, data):
        return read_pdf(data)
    if is_office(path, data):
        return read_office(path, data)
    return decode(data) or Unreadable("binary")


def is_document(path: str) -> bool:
    """Return whether a file's name says that its text has to be extracted."""
    return path.lower().endswith(_ENDINGS)


def is_extracted(encoding: str) -> bool:
    """Return whether a text was extracted. encoding: as `extract` gave it."""
    return encoding in _EXTRACTED
