"""From the bytes of a file to its text."""

from __future__ import annotations

from devrag.parsing.decoding import (
    BINARY_PROBE_BYTES,
    Decoded,
    Unreadable,
    decode,
)
from devrag.parsing.documents.memo import find_entries
from devrag.parsing.extract import extract, is_document, is_extracted
from devrag.parsing.generated import is_set_aside

__all__ = [
    "BINARY_PROBE_BYTES",
    "Decoded",
    "Unreadable",
    "decode",
    "extract",
    "find_entries",
    "is_document",
    "is_extracted",
    "is_set_aside",
]
