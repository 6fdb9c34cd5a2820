"""What an API tells, read with care: nothing of it is sure to be there. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from devrag.core.hashing import sha256_hex

Json = Mapping[str, Any]


def text_of(data: Json, key: str) -> str:
    """Return a text without NULs, '' where there is none."""
    found = data.get(key)
    if found is None or isinstance(found, (Mapping, list)):
        return ""
    return str(found).replace("\0", "")


def name_of(data: Json, key: str) -> str:
    """Return the name of something that is given by id and name, '' without it."""
    found = data.get(key)
    return str(found.get("name") or "") if isinstance(found, Mapping) else ""


def list_of(data: Json, key: str) -> list[Json]:
    """Return the objects of a list; none where there is no list."""
    found = data.get(key)
    if not isinstance(found, list):
        return []
    return [each for each in found if isinstance(each, Mapping)]


def id_of(data: Json) -> int:
    """Return the number of something, 0 where there is none."""
    found = data.get("id")
    return found if isinstance(found, int) and found > 0 else 0


def part_of(data: Json, *keys: str) -> Json:
    """Return an object within others, an empty one where there is none."""
    found: object = data
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def mark_of(value: object) -> str:
    """Return another short mark for another value."""
    return sha256_hex(repr(value))[:12]
