"""Hits to show and their places to rank, without a database."""

from __future__ import annotations

from typing import Any

from devrag.search.candidates import CandidateChunk
from devrag.search.types import Hit

_PLACE: dict[str, Any] = {
    "chunk_id": 1,
    "path": "src/till.py",
    "source_name": "shop",
    "start_line": 1,
    "end_line": 9,
    "kind": "symbol",
    "file_kind": "code",
}
_CONTENT: dict[str, Any] = {
    "product_name": "tea",
    "version_identifier": "1",
    "text": "",
    "score": 1.0,
    "language": "python",
    "mime": "text/x-python",
    "heading": "",
    "symbol_name": "",
    "is_dirty": False,
}


def make_hit(**fields: Any) -> Hit:
    """Return a hit in code of a file, but for the fields that are given."""
    return Hit(**_PLACE | _CONTENT | fields)


def make_spot(**fields: Any) -> CandidateChunk:
    """Return where code of a file lies, but for the fields that are given."""
    return CandidateChunk(**_PLACE | fields)
