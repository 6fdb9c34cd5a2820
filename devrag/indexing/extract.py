"""The bytes of a listed file as text, or the reason why it has none.

What looks like a secret is masked here, before anything is stored: chunks, symbols,
facts, the keyword index and vectors come from this text, and no search finds a secret.
"""

from __future__ import annotations

from dataclasses import replace

from devrag.core.masking import mask_secrets
from devrag.parsing.decoding import Decoded, Unreadable
from devrag.parsing.extract import extract
from devrag.sources.lfs import lfs_size


def extract_text(path: str, data: bytes) -> Decoded | Unreadable:
    """Return a file's text, secrets masked; binary files and stand-ins have none."""
    size = lfs_size(data)
    if size is not None:
        return Unreadable(f"Git LFS pointer ({size / 1e6:.1f} MB)")
    found = extract(path, data)
    if isinstance(found, Unreadable):
        return found
    return replace(found, text=mask_secrets(found.text))
