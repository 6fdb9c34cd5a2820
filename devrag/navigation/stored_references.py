"""Uses of names as rows hold them, in the terms that a resolver takes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from devrag.navigation.types import IMPLICIT, TYPES, NameUsage, family
from devrag.parsing.types import OF_TEXTS
from devrag.sources.models import GitRef, Reference

_COLUMNS = (
    *("file_id", "file__path", "file__module", "file__language"),
    *("kind", "name", "line", "symbol_ordinal", "target", "via"),
)
# Then the file alone could not tell; else an empty target is the name itself.
_UNKNOWN = ("", "local")
# Stands for what is outside of any symbol.
_NOWHERE = -1
# File and ordinal of the symbol around a use.
Place = tuple[int, int | None]


@dataclass(frozen=True, slots=True)
class WrittenUse:
    """A use where it stands. ordinal: of the symbol around it, None outside of any."""

    path: str
    line: int
    kind: str
    ordinal: int | None
    usage: NameUsage

    @property
    def place(self) -> Place:
        return self.usage.file, self.ordinal


def uses_of(ref: GitRef) -> QuerySet[Reference]:
    """Return the uses in a ref's current manifest."""
    return _references_of(ref).exclude(kind__in=("link", "slot", *OF_TEXTS))


def slots_of(ref: GitRef) -> QuerySet[Reference]:
    """Return which names tables put into fields, in a ref's current manifest."""
    return _references_of(ref).filter(kind="slot")


def read_uses_at(
    places: Iterable[Place], kinds: Collection[str], most: int
) -> list[WrittenUse]:
    """Read the uses of these kinds directly in symbols, by line. Queries: 1."""
    pairs = sorted({(file, _NOWHERE if at is None else at) for file, at in places})
    files, ordinals = [file for file, _ in pairs], [at for _, at in pairs]
    with connection.cursor() as cursor:
        cursor.execute(_AT_PLACES, [files, ordinals, list(kinds), most])
        return [_read(row) for row in cursor.fetchall()]


def _references_of(ref: GitRef) -> QuerySet[Reference]:
    return Reference.objects.filter(
        source_id=ref.source_id, file__manifests__ref=ref, file__manifests__until=None
    )


def read_uses(rows: QuerySet[Reference]) -> list[WrittenUse]:
    """Read uses without the type around them. Queries: 1."""
    return [_read(row) for row in rows.values_list(*_COLUMNS)]


def _read(row: tuple[Any, ...]) -> WrittenUse:
    file, path, module, language, kind, name, line, ordinal, target, via = row
    meant = target if via in _UNKNOWN else target or name
    usage = NameUsage(file, module, language, name, meant, via)
    return WrittenUse(path, line, kind, ordinal, usage)


def with_types(uses: Iterable[WrittenUse]) -> list[WrittenUse]:
    """Fill in the type around uses that may mean its members. Queries: 1 at most."""
    written = list(uses)
    types = _types_around({use.place for use in written if _asks_around(use.usage)})
    return [
        replace(use, usage=replace(use.usage, type_name=types[use.place]))
        if use.place in types and _asks_around(use.usage)
        else use
        for use in written
    ]


def _asks_around(usage: NameUsage) -> bool:
    return usage.via in {"", "type"} and family(usage.language) in IMPLICIT


def _types_around(places: Iterable[Place]) -> dict[Place, str]:
    pairs = sorted((file, ordinal) for file, ordinal in places if ordinal is not None)
    if not pairs:
        return {}
    files = [file for file, _ in pairs]
    ordinals = [ordinal for _, ordinal in pairs]
    with connection.cursor() as cursor:
        cursor.execute(_UPWARDS, [files, ordinals, sorted(TYPES), sorted(TYPES)])
        return {(file, start): name for file, start, name in cursor.fetchall()}


_AT_PLACES = f"""
SELECT r.file_id, f.path, f.module, f.language, r.kind, r.name, r.line,
    r.symbol_ordinal, r.target, r.via
FROM unnest(%s::bigint[], %s::int[]) AS place(file_id, ordinal)
JOIN sources_reference r
  ON r.file_id = place.file_id
  AND coalesce(r.symbol_ordinal, {_NOWHERE}) = place.ordinal
JOIN sources_file f ON f.id = r.file_id
WHERE r.kind = ANY(%s)
ORDER BY r.file_id, r.line, r.id
LIMIT %s
"""
_UPWARDS = """
WITH RECURSIVE upwards AS (
    SELECT s.file_id, s.ordinal AS start, s.kind, s.qualified_name, s.parent_ordinal
    FROM unnest(%s::bigint[], %s::int[]) AS place(file_id, ordinal)
    JOIN sources_symbol s USING (file_id, ordinal)
    UNION ALL
    SELECT s.file_id, below.start, s.kind, s.qualified_name, s.parent_ordinal
    FROM upwards below
    JOIN sources_symbol s
      ON s.file_id = below.file_id AND s.ordinal = below.parent_ordinal
    WHERE below.kind <> ALL(%s)
)
SELECT file_id, start, qualified_name FROM upwards WHERE kind = ANY(%s)
"""
