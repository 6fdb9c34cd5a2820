"""Paths inside a source: relative, slash-separated, without a way out. Pure."""

from __future__ import annotations

from devrag.core.hashing import sha256_hex

# As long as an index of the database takes; Linux itself opens no more than 4,096.
MAX_PATH_BYTES = 2_000
TOO_LONG = f"path is longer than {MAX_PATH_BYTES:,} bytes"
_SHOWN_BYTES = 200
_TOLD_APART_BY = 30_000


def is_plain(path: str) -> bool:
    """Return whether a path stays below its root: no empty, `.` or `..` part."""
    return all(part not in {"", ".", ".."} for part in path.split("/"))


def is_unicode(path: str) -> bool:
    """Return whether the bytes of a file name were valid UTF-8.

    Others come with surrogate escapes.
    """
    return path.isascii() or not any("\ud800" <= char <= "\udfff" for char in path)


def printable(path: str) -> str:
    """Return a name that any store can hold, undecodable bytes shown as `\\xNN`."""
    raw = path.encode("utf-8", "surrogateescape")
    return raw.decode("utf-8", "backslashreplace")


def storable(path: str) -> str:
    """Return a printable name of bounded length, another for each path.

    Those that are equal in their first 30,000 characters count as one.
    """
    shown = printable(path[:_TOLD_APART_BY])
    if not is_too_long(path):
        return shown
    mark = sha256_hex(shown)[:16]
    return f"{shown.encode()[:_SHOWN_BYTES].decode('utf-8', 'ignore')}…{mark}"


def is_too_long(path: str) -> bool:
    """Return whether a path has more bytes than are indexed."""
    is_short = len(path) * 4 <= MAX_PATH_BYTES
    return (
        not is_short and len(path.encode("utf-8", "surrogateescape")) > MAX_PATH_BYTES
    )
