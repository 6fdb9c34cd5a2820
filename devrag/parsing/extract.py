"""A file's bytes to the text that everything later works on."""

from __future__ import annotations

from devrag.parsing.decoding import Decoded, Unreadable, decode
from devrag.parsing.documents.office_text import is_office, read_office
from devrag.parsing.documents.pdf_text import is_pdf, read_pdf


def extract(path: str, data: bytes) -> Decoded | Unreadable:
    """Return a file's text, or why it has none; never raises for its content."""
    if is_pdf(path, data):
        return read_pdf(data)
    if is_office(path, data):
        return read_office(path, data)
    return decode(data) or Unreadable("binary")
