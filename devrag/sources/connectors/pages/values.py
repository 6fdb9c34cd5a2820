"""What an answer of an API holds, whatever form it came in. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Json = Mapping[str, Any]


def text_of(data: Json, key: str) -> str:
    """Return a text without NULs, '' where there is none."""
    found = data.get(key)
    if found is None or isinstance(found, (Mapping, list)):
        return ""
    return str(found).replace("\0", "")


def list_of(data: Json, key: str) -> list[Json]:
    """Return the objects of a list; none where there is no list."""
    found = data.get(key)
    if not isinstance(found, list):
        return []
    return [each for each in found if isinstance(each, Mapping)]


def part_of(data: Json, *keys: str) -> Json:
    """Return an object within others, an empty one where there is none."""
    found: object = data
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}
