"""Titles and names of files as parts of a path. Pure."""

from __future__ import annotations

from devrag.core.hashing import sha256_hex

_MAX_NAME = 150
# Names that mean something else in a path, and what separates its parts.
_UNSAFE = str.maketrans({"/": "∕", "\\": "∕", "\0": " ", "\x7f": " "})


def file_name(title: str) -> str:
    """Return a title as one part of a path: without slashes, not too long."""
    name = "".join(
        char if char.isprintable() else " " for char in title.translate(_UNSAFE)
    )
    name = " ".join(name.split()).strip(". ")
    if len(name.encode()) > _MAX_NAME * 2 or len(name) > _MAX_NAME:
        mark = sha256_hex(title)[:8]
        name = f"{name.encode()[:_MAX_NAME].decode(errors='ignore').strip()} {mark}"
    return name or "untitled"


def attachment_name(title: str) -> str:
    """Return an attachment's name as one part of a path; it keeps its ending."""
    stem, dot, ending = title.rpartition(".")
    if not dot or len(ending) > 20:
        return file_name(title)
    return f"{file_name(stem)}.{file_name(ending)}"
