"""Reads `git ls-tree -r -z --long` and `git diff-tree -r -z --raw`. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from devrag.sources.connectors.types import Entry, Removed, Unlisted
from devrag.sources.paths import TOO_LONG, is_plain, is_too_long, printable, storable

_SYMLINK = 0o120000
_REGULAR = 0o100000
_KIND = 0o170000


def parse_tree_record(record: bytes) -> Entry | Unlisted:
    """Read `mode type object size<TAB>path`."""
    facts, _, raw_path = record.partition(b"\t")
    mode, _, digest, size = facts.decode("ascii").split()
    return _item(raw_path, int(mode, 8), digest, int(size) if size != "-" else 0)


def parse_changes(records: Iterable[bytes]) -> Iterator[Entry | Unlisted | Removed]:
    """Read `:mode mode object object status`, then the path; entries have size 0."""
    fields = iter(records)
    for facts, raw_path in zip(fields, fields, strict=True):
        old_mode, mode, old, new, _ = facts.decode("ascii").lstrip(":").split()
        if not int(mode, 8):
            path = raw_path.decode("utf-8", "surrogateescape")
            yield Removed(storable(path))
        elif not (old == new and _is_file(old_mode) and _is_file(mode)):
            yield _item(raw_path, int(mode, 8), new, 0)


def _item(raw_path: bytes, mode: int, digest: str, size: int) -> Entry | Unlisted:
    path = raw_path.decode("utf-8", "surrogateescape")
    reason = _reason(path, mode)
    if reason:
        return Unlisted(storable(path), reason)
    return Entry(path, digest, size, mode)


def _reason(path: str, mode: int) -> str | None:
    if printable(path) != path:
        return "name is not valid UTF-8"
    if is_too_long(path):
        return TOO_LONG
    if not is_plain(path):
        return "path outside the tree"
    if mode == _SYMLINK:
        return "symlink"
    return None if mode & _KIND == _REGULAR else "submodule"


def _is_file(mode: str) -> bool:
    return int(mode, 8) & _KIND == _REGULAR
