"""Compare when a document was written with when the code that it names changed.

Pure: dates and changes in, what is outdated out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from devrag.mentions.api import CitedCode

# Fewer lines of a file tell little of a document that only names the file.
_LEAST_LINES_OF_A_FILE = 10
_MOST_CITATIONS = 50
# A file of code: source and path.
Place = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Change:
    """A commit that changed a file. names: definition → lines of it."""

    id: int
    commit: str
    committed_at: datetime
    lines: int
    names: Mapping[str, int]

    def lines_of(self, code: CitedCode) -> int:
        """Return the changed lines of a cited definition, or of the file."""
        if not code.symbol:
            return self.lines
        return sum(count for name, count in self.names.items() if name in code.names)


@dataclass(frozen=True, slots=True)
class ChangedCitation:
    """Cited code with its changes since the document was written, the newest first."""

    code: CitedCode
    lines: int
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Outdated:
    """What changed under a document. lines: in all, each counted once.

    newest: highest id of the changes; changed_at: date of the newest commit.
    """

    lines: int
    newest: int
    changed_at: datetime
    citations: tuple[ChangedCitation, ...]


def compare_document(
    cited: Iterable[CitedCode],
    changes: Mapping[Place, Sequence[Change]],
    written_at: datetime,
    *,
    after: int = 0,
) -> Outdated | None:
    """Return what of the cited code changed after a document; None for nothing.

    after: only changes with a higher id count.
    """
    found = [
        each
        for code in cited
        if (each := _changed(code, changes, written_at, after)) is not None
    ]
    if not found:
        return None
    found.sort(key=lambda each: (-each.lines, each.code.path, each.code.symbol))
    every = [change for each in found for change in each.changes]
    return Outdated(
        lines=_total(found),
        newest=max(change.id for change in every),
        changed_at=max(change.committed_at for change in every),
        citations=tuple(found[:_MOST_CITATIONS]),
    )


def _changed(
    code: CitedCode,
    changes: Mapping[Place, Sequence[Change]],
    written_at: datetime,
    after: int,
) -> ChangedCitation | None:
    since = [
        change
        for change in changes.get((code.source_id, code.path), ())
        if change.committed_at > written_at and change.id > after
    ]
    counted = [change for change in since if change.lines_of(code)]
    lines = sum(change.lines_of(code) for change in counted)
    if lines < (1 if code.symbol else _LEAST_LINES_OF_A_FILE):
        return None
    counted.sort(key=lambda change: (change.committed_at, change.id), reverse=True)
    return ChangedCitation(code, lines, tuple(counted))


def _total(found: Sequence[ChangedCitation]) -> int:
    """Return the changed lines, those of a definition within a cited one but once."""
    names: dict[Place, set[str]] = {}
    whole: set[Place] = set()
    changes: dict[Place, dict[int, Change]] = {}
    for each in found:
        place = (each.code.source_id, each.code.path)
        changes.setdefault(place, {}).update((c.id, c) for c in each.changes)
        names.setdefault(place, set()).update(each.code.names)
        if not each.code.symbol:
            whole.add(place)
    return sum(
        change.lines
        if place in whole
        else sum(count for name, count in change.names.items() if name in names[place])
        for place, rows in changes.items()
        for change in rows.values()
    )
