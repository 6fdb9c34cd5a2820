"""Paths inside a source: relative, slash-separated, without a way out. Pure."""

from __future__ import annotations

import posixpath
import re

_CLIMB = re.compile(r"^(?:\.\.?(?:/|$)|/)+")


def safe_path(path: str) -> str:
    """Return the path made relative and harmless (S3-ADR-009); '' when nothing is left.

    Backslashes count as separators, `..` parts and a leading slash are dropped.
    """
    return _CLIMB.sub("", posixpath.normpath(path.replace("\\", "/")))


def is_plain(path: str) -> bool:
    """Say whether a path stays below its root: no empty, `.` or `..` part."""
    return all(part not in {"", ".", ".."} for part in path.split("/"))


def is_unicode(path: str) -> bool:
    """Say whether the bytes of a file name were valid UTF-8 (no surrogate escapes)."""
    return path.isascii() or not any("\ud800" <= char <= "\udfff" for char in path)


def printable(path: str) -> str:
    """Return a name that any store can hold, undecodable bytes shown as `\\xNN`."""
    raw = path.encode("utf-8", "surrogateescape")
    return raw.decode("utf-8", "backslashreplace")
