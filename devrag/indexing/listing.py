"""What a version holds: every path with its digest or the reason it is left out.

Nothing here keeps a whole repository. When the connector can tell what changed since
the version that is indexed, only that is looked at: a commit costs what it changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from django.conf import settings

from devrag.core.errors import InvalidInput, SourceError
from devrag.core.texts import gettext
from devrag.indexing.selection import build_rules, selection_mark
from devrag.sources.api import IgnoreBudget, IgnoreRules, is_ignore_file
from devrag.sources.connectors.types import (
    Connector,
    Entry,
    Removed,
    Revision,
    Unlisted,
)
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
    connector: Connector,
    version: Revision,
    source: Source,
    base: GitRef | None,
    checkpoint: Callable[[], None],
) -> Listing:
    """List a version; base: the ref to compare with, None to list everything.

    checkpoint: called at each path; it may raise. Raises InvalidInput for ignore files
    past their limits, also while the items are walked through.
    """
    budget = IgnoreBudget(checkpoint)
    partial = base and _list_changes(connector, version, source, base, budget)
    return partial or _list_all(connector, version, source, budget)


def _list_changes(
    connector: Connector,
    version: Revision,
    source: Source,
    base: GitRef,
    budget: IgnoreBudget,
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
    rules = build_rules(source, base.ignore_files, budget)
    items = [_listed(change, rules) for change in changes.values()]
    return Listing(items, base.ignore_files, is_partial=True)


def _list_all(
    connector: Connector, version: Revision, source: Source, budget: IgnoreBudget
) -> Listing:
    texts = _ignore_files(connector, version, source, budget)
    rules = build_rules(source, texts, budget)
    return Listing((_listed(item, rules) for item in connector.list(version)), texts)


def _ignore_files(
    connector: Connector, version: Revision, source: Source, budget: IgnoreBudget
) -> dict[str, str]:
    """Return the ignore files of a version; a first walk that also counts."""
    sizes: dict[str, int] = {}
    found: list[Entry] = []
    for count, item in enumerate(connector.list(version), start=1):
        budget.checkpoint()
        if count > settings.MAX_FILES:
            raise InvalidInput(
                gettext(
                    "%(source)s has more than %(most)s files, including "
                    "ignored ones. Raise MAX_FILES, or add parts of it as "
                    "separate sources."
                )
                % {"source": source.name, "most": f"{settings.MAX_FILES:,}"}
            )
        if isinstance(item, Entry) and is_ignore_file(item.path):
            budget.add_file(item.path, item.size)
            sizes[item.path] = item.size
            found.append(item)
    texts = {}
    for entry, data in connector.read(version, found):
        budget.checkpoint()
        budget.add_bytes(entry.path, len(data) - sizes[entry.path])
        texts[entry.path] = data.decode("utf-8", "replace").replace("\0", "")
    if len(texts) < len(sizes):
        raise SourceError(
            gettext("%(path)s changed while it was being read.")
            % {"path": min(sizes.keys() - texts.keys())},
            permanent=False,
        )
    return texts


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
