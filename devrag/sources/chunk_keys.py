"""Ids of chunks that people can read: `notes/a.md::chunk_0`. Pure.

Equal text of a file is cut alike, so its keys stay; chunk ids are of stored rows and
do not. A key is unique within a source.
"""

from __future__ import annotations

import re

_KEY = re.compile(r"(?P<path>.+)::chunk_(?P<ordinal>[0-9]{1,9})", re.DOTALL)


def chunk_key(path: str, ordinal: int) -> str:
    """Return the key of a file's chunk; ordinal: from 0, in the order of the file."""
    return f"{path}::chunk_{ordinal}"


def split_chunk_key(text: str) -> tuple[str, int] | None:
    """Return path and ordinal of a key, None for any other text."""
    found = _KEY.fullmatch(text)
    return (found["path"], int(found["ordinal"])) if found else None
