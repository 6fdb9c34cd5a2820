"""What a version holds: every path with its digest or the reason it is left out.

Nothing here keeps a whole repository. When the connector can tell what changed since
the version that is indexed, only that is looked at: a commit costs what it changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from django.conf import settings

from devrag.core.errors import InvalidInput
from devrag.indexing.selection import build_rules, selection_mark
from devrag.sources.connectors.types import (
    Connector,
    Entry,
    Removed,
    Unlisted,
    Version,
)
from devrag.sources.ignore import IgnoreRules, is_ignore_file
from devrag.sources.models import GitRef, Source

# Beyond this, asking for everything costs no more than asking for what changed.
_MAX_CHANGES = 20_000
REASON_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Listed:
    """A path of the version. reason: why it is left out; None: it is gone."""

    path: str
    digest: str = ""
    size: int = 0
    reason: str | None = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A listing to walk through once.

    ignore_files: path → text, kept with the ref. is_partial: only what changed.
    """

    items: Iterable[Listed]
    ignore_files: Mapping[str, str] = field(default_factory=dict)
    is_partial: bool = False


def list_version(
    connector: Connector, version: Version, source: Source, base: GitRef | None
) -> Listing:
    """List a version; base: the ref to compare with, None to list everything."""
    partial = base and _list_changes(connector, version, source, base)
    return partial or _list_all(connector, version, source)


def _list_changes(
    connector: Connector, version: Version, source: Source, base: GitRef
) -> Listing | None:
    """Return what changed since the base; None when that does not tell enough."""
    if base.snapshot is None or base.selection_mark != selection_mark(source):
        return None
    found = connector.changes(base.snapshot.version_identifier, version)
    if found is None:
        return None
    # Of a path that is named twice the later counts.
    changes = {change.path: change for change in islice(found, _MAX_CHANGES + 1)}
    if len(changes) > _MAX_CHANGES or any(map(is_ignore_file, changes)):
        return None
    rules = build_rules(source, base.ignore_files)
    items = [_listed(change, rules) for change in changes.values()]
    return Listing(items, base.ignore_files, is_partial=True)


def _list_all(connector: Connector, version: Version, source: Source) -> Listing:
    texts = _ignore_files(connector, version, source)
    rules = build_rules(source, texts)
    return Listing((_listed(item, rules) for item in connector.list(version)), texts)


def _ignore_files(
    connector: Connector, version: Version, source: Source
) -> dict[str, str]:
    """Return the ignore files of a version; a first walk that also counts."""
    found: list[Entry] = []
    for count, item in enumerate(connector.list(version), start=1):
        if count > settings.MAX_FILES:
            raise InvalidInput(
                f"{source.name} has more than {settings.MAX_FILES:,} files, ignored "
                "ones counted. Raise MAX_FILES, or add its parts as sources."
            )
        if isinstance(item, Entry) and is_ignore_file(item.path):
            found.append(item)
    limit = settings.MAX_FILE_BYTES
    read = connector.read(version, (entry for entry in found if entry.size <= limit))
    return {
        entry.path: data.decode("utf-8", "replace").replace("\0", "")
        for entry, data in read
    }


def _listed(item: Entry | Unlisted | Removed, rules: IgnoreRules) -> Listed:
    if isinstance(item, Removed):
        return Listed(item.path, reason=None)
    if isinstance(item, Unlisted):
        return Listed(item.path, reason=item.reason[:REASON_LENGTH])
    reason = rules.reason(item.path, item.size) or ""
    digest = "" if reason else item.digest
    return Listed(item.path, digest, item.size, reason[:REASON_LENGTH])


def rows(items: Iterable[Listed]) -> Iterator[tuple[object, ...]]:
    """Return listed paths as rows to copy: path, digest, size, reason."""
    return ((item.path, item.digest, item.size, item.reason) for item in items)
