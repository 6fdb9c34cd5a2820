"""What filters find in the index: labels, and the parts of a path in their order."""

from __future__ import annotations

import re
from functools import lru_cache

_MOST_FOLDERS = 4
# Stands before the first part, so that a place can be asked for from the root.
PLACE_ROOT = "/"
_SPACE = re.compile(r"\s")


@lru_cache(maxsize=1 << 10)
def label(name: str, value: str) -> str:
    """Return a filter's value as one token."""
    return f"{name}:{_SPACE.sub('␣', value)}"


def place_parts(path: str) -> list[str]:
    """Return the folders and the file name of a path as tokens."""
    return [part for part in _SPACE.sub("␣", path).split("/") if part]


# The chunks of a file come one after another.
@lru_cache(maxsize=16)
def places(path: str) -> str:
    """Return what the index holds of a path: its parts from the root."""
    return " ".join([PLACE_ROOT, *place_parts(path)])


@lru_cache(maxsize=16)
def folders(path: str) -> tuple[str, ...]:
    """Return the folders that a path is in, from the root: `src/`, `src/core/`."""
    parts = path.split("/")[:-1][:_MOST_FOLDERS]
    return tuple("/".join(parts[:depth]) + "/" for depth in range(1, len(parts) + 1))
