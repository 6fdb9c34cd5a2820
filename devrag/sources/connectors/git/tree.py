"""Reads `git ls-tree -r -z --long`. Pure."""

from __future__ import annotations

from devrag.sources.connectors.types import Entry, Unlisted
from devrag.sources.paths import is_plain, printable

_SYMLINK = 0o120000


def parse_tree_record(record: bytes) -> Entry | Unlisted:
    """Read `mode type object size<TAB>path`."""
    facts, _, raw_path = record.partition(b"\t")
    mode, kind, digest, size = facts.decode("ascii").split()
    path = raw_path.decode("utf-8", "surrogateescape")
    reason = _reason(path, int(mode, 8), kind)
    if reason:
        return Unlisted(printable(path), reason)
    return Entry(path, digest, int(size), int(mode, 8))


def _reason(path: str, mode: int, kind: str) -> str | None:
    if printable(path) != path:
        return "name is not valid UTF-8"
    if not is_plain(path):
        return "path leaves the tree"
    if kind != "blob":
        return "submodule"
    return "symlink" if mode == _SYMLINK else None
