"""The symbols and imports of a whole version, kept in memory for some minutes' work.

Following calls asks for the meaning of thousands of uses, level by level. Reading names
as they come up (symbol_lookup) decides all of a level again after each read; here one
resolver remembers what it has decided. A version is kept by its process until two
others were asked for.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db import connection

from devrag.navigation.resolution import Resolver
from devrag.navigation.stored_references import read_uses, slots_of, uses_of
from devrag.navigation.symbol_lookup import MOST_DEFINITIONS, NO_TYPE
from devrag.navigation.symbol_table import SymbolTable
from devrag.navigation.types import (
    NameUsage,
    Resolution,
    SymbolCandidate,
)
from devrag.sources.models import File, GitRef

_MOST_KEPT = 2
_lock = threading.Lock()
_kept: dict[tuple[object, ...], VersionSymbols] = {}


class VersionSymbols:
    """Resolves uses within one version. Thread-safe."""

    def __init__(self, table: SymbolTable) -> None:
        self._table = table
        self._resolver = Resolver(table)
        self._lock = threading.Lock()

    def resolve(
        self, uses: Iterable[NameUsage], until: float
    ) -> dict[NameUsage, Resolution]:
        """Return what each use means. until: by the monotonic clock; the rest is open.

        A use that was not looked at is not in the answer.
        """
        found: dict[NameUsage, Resolution] = {}
        with self._lock:
            for use in uses:
                if use not in found:
                    if time.monotonic() >= until:
                        break
                    found[use] = self._resolver.resolve(use)
        return found

    def resolve_one(self, use: NameUsage) -> Resolution:
        """Return what a use means."""
        with self._lock:
            return self._resolver.resolve(use)

    def definitions(self, last_name: str) -> Iterable[SymbolCandidate]:
        """Return the symbols of that name."""
        return self._table.definitions(last_name)


def symbols_of_version(ref: GitRef) -> VersionSymbols:
    """Return the symbols of a ref's current manifest. Queries: 1, at first 5."""
    files = File.objects.filter(manifests__ref=ref, manifests__until=None).count()
    key = (ref.pk, ref.sequence, ref.source.created_at, files)
    with _lock:
        found = _kept.pop(key, None)
        if found is None:
            found = VersionSymbols(_read(ref))
        # The one that was asked for last is the last.
        _kept[key] = found
        while len(_kept) > _MOST_KEPT:
            del _kept[next(iter(_kept))]
        return found


def _read(ref: GitRef) -> SymbolTable:
    symbols, places = _read_symbols(ref)
    rows = uses_of(ref).filter(kind__in=("inherit", "implement"))
    supertypes: dict[int, list[NameUsage]] = defaultdict(list)
    for use in read_uses(rows.exclude(via__in=NO_TYPE)):
        key = places.get((use.usage.file, use.ordinal or 0))
        if key is not None:
            supertypes[key].append(use.usage)
    imports = (use.usage for use in read_uses(uses_of(ref).filter(kind="import")))
    slots = (use.usage for use in read_uses(slots_of(ref)))
    return SymbolTable(symbols, imports, supertypes, slots)


def _read_symbols(
    ref: GitRef,
) -> tuple[list[SymbolCandidate], Mapping[tuple[int, int], int]]:
    """Return the symbols, but of names that too many have, and keys by place."""
    with connection.cursor() as cursor:
        cursor.execute(_SYMBOLS, [ref.pk])
        rows = cursor.fetchall()
    places = {(file, ordinal): key for ordinal, key, file, *_ in rows}
    often = Counter(row[-2].rpartition(".")[2] for row in rows)
    symbols = [
        symbol
        for symbol in _candidates(rows)
        if often[symbol.qualified_name.rpartition(".")[2]] <= MOST_DEFINITIONS
    ]
    return symbols, places


def _candidates(rows: Iterable[tuple[Any, ...]]) -> Iterator[SymbolCandidate]:
    nothing: Mapping[str, str] = {}
    for _, *columns, types in rows:
        held = json.loads(types) if types != "{}" else nothing
        # The columns end before the source, of which there is one.
        yield SymbolCandidate(*(*columns, 0, held))


_SYMBOLS = """
SELECT s.ordinal, s.id, s.file_id, f.module, f.language, s.kind, s.qualified_name,
    s.value_types::text
FROM sources_reffile m
JOIN sources_file f ON f.id = m.file_id
JOIN sources_symbol s ON s.file_id = f.id
WHERE m.ref_id = %s AND m.until IS NULL
"""
