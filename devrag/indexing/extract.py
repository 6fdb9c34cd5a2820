"""The bytes of a listed file as text, or the reason why it has none."""

from __future__ import annotations

from devrag.parsing.decoding import Decoded, Unreadable
from devrag.parsing.extract import extract
from devrag.sources.lfs import lfs_size


def extract_text(path: str, data: bytes) -> Decoded | Unreadable:
    """Return a file's text; binary files and stand-ins of others have none."""
    size = lfs_size(data)
    if size is not None:
        return Unreadable(f"Git LFS pointer ({size / 1e6:.1f} MB)")
    return extract(path, data)
