"""Recognises Git LFS pointers: small texts that stand for files kept elsewhere. Pure.

source: git-lfs docs/spec.md, "The Pointer".
"""

from __future__ import annotations

import re

_MAX_BYTES = 1024
_POINTER = re.compile(
    rb"version https://(?:git-lfs\.github\.com|hawser\.github\.com)/spec/v1\r?\n"
    rb"(?:[a-z0-9.-]+ [^\n]*\n)*?"
    rb"oid sha256:[0-9a-f]{64}\r?\n"
    rb"size (?P<size>[0-9]{1,18})\r?\n"
    rb"(?:[a-z0-9.-]+ [^\n]*\n)*"
)


def lfs_size(data: bytes) -> int | None:
    """Return how many bytes the real file has; None when data is no pointer."""
    if len(data) >= _MAX_BYTES or not data.startswith(b"version https://"):
        return None
    found = _POINTER.fullmatch(data)
    return int(found["size"]) if found else None
