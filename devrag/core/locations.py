"""Tell paths from repository addresses, in what somebody types on this machine."""

from __future__ import annotations

import os
from pathlib import Path


def looks_like_path(text: str) -> bool:
    """Return whether a text is a path by its form, on whatever machine."""
    return text.startswith(("/", "./", "../", "~")) or text in (".", "..")


def exists_here(text: str) -> bool:
    """Return whether a relative path such as `src` exists in the current folder.

    A colon before the first slash makes it an address, as for git, whatever exists.
    """
    is_address = ":" in text.partition("/")[0]
    # A Path raises OSError for a name that is too long.
    return not is_address and os.path.exists(text)


def make_absolute(text: str) -> str:
    """Return an existing path as an absolute one, anything else unchanged."""
    path = os.path.expanduser(text) if looks_like_path(text) else text
    return str(Path(path).resolve()) if exists_here(path) else text
