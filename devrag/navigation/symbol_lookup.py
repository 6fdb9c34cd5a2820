"""The names of one version of a source, read from the database as they are asked for.

A resolver asks for one name after the other, and a query for each would be slow. So an
unknown name is at first answered with nothing and noted; what was noted for all uses is
read in one go, and they are decided again by a new resolver: the old one may remember.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from django.db import connection
from django.db.models import Q

from devrag.navigation.opened_modules import PASSING
from devrag.navigation.receivers import CALL
from devrag.navigation.resolution import Resolver
from devrag.navigation.stored_references import read_uses, slots_of, uses_of
from devrag.navigation.types import (
    UNRESOLVED,
    NameUsage,
    Resolution,
    SymbolCandidate,
    languages_of,
)
from devrag.sources.models import GitRef

# A name with more definitions says too little: what uses it stays unresolved.
MOST_DEFINITIONS = 1_000
_MOST_SLOTS = 2_000
# Each level of a class hierarchy takes two.
_MOST_ROUNDS = 16
# Definitions looked at for all uses together, about 0.3 µs each.
_MOST_STEPS = 1_000_000
# Uses that name no type by themselves cannot tell what a type inherits from.
NO_TYPE = ("member", "type", "local", "foreign", "path", "super")

_PASSING_LANGUAGES = sorted(languages_of(PASSING))
K = TypeVar("K")
V = TypeVar("V")


class _Shelf(Generic[K, V]):
    """What is known by key, and which keys are still to be read."""

    def __init__(self) -> None:
        self.known: dict[K, list[V]] = {}
        self.misses = 0
        self._wanted: set[K] = set()

    def get(self, key: K) -> Sequence[V]:
        """Return what is known; nothing, and a note, before it is read."""
        found = self.known.get(key)
        if found is None:
            self.misses += 1
            self._wanted.add(key)
            return ()
        return found

    def want(self, keys: Iterable[K]) -> None:
        self._wanted.update(key for key in keys if key not in self.known)

    def take(self) -> list[K]:
        """Return the keys to read now; what is not found of them is known as none."""
        keys = list(self._wanted)
        self._wanted.clear()
        self.known.update((key, []) for key in keys)
        return keys


class StoredSymbols:
    """A Lookup over a ref's current manifest."""

    def __init__(self, ref: GitRef) -> None:
        self._ref = ref
        self._symbols: _Shelf[str, SymbolCandidate] = _Shelf()
        self._imports: _Shelf[str, NameUsage] = _Shelf()
        self._supertypes: _Shelf[int, NameUsage] = _Shelf()
        self._members: _Shelf[int, SymbolCandidate] = _Shelf()
        self._slots: _Shelf[str, NameUsage] = _Shelf()
        self._steps = 0
        self._ordinals: dict[int, int] = {}
        self._files: dict[int, int] = {}
        self._asking: set[int] = set()

    def resolve(self, uses: Iterable[NameUsage]) -> dict[NameUsage, Resolution]:
        """Return what each use means. Queries: 1 to 3 a round, 2 or 3 rounds.

        What would take too long to decide stays unresolved.
        """
        left = set(uses)
        found: dict[NameUsage, Resolution] = {}
        self._symbols.want(name for use in left for name in _names(use))
        self._ask_for(left)
        for _ in range(_MOST_ROUNDS):
            self._read()
            found.update(self._decide(left))
            left.difference_update(found)
            if not left:
                break
        return found | dict.fromkeys(left, UNRESOLVED)

    def definitions(self, last_name: str) -> Sequence[SymbolCandidate]:
        """Return the symbols of that name; none when there are too many."""
        found = self._symbols.get(last_name)
        self._steps += len(found)
        return found

    def re_exports(self, last_name: str) -> Sequence[NameUsage]:
        """Return the imports of that name."""
        return self._imports.get(last_name)

    def supertypes(self, symbol: SymbolCandidate) -> Sequence[NameUsage]:
        """Return what the type is written to inherit from and implement."""
        return self._supertypes.get(symbol.key)

    def members(self, symbol: SymbolCandidate) -> Sequence[SymbolCandidate]:
        """Return what is defined directly within a symbol."""
        return self._members.get(symbol.key)

    def slots(self, place: str) -> Sequence[NameUsage]:
        """Return the names that tables put into a field."""
        return self._slots.get(place)

    def _decide(self, uses: Iterable[NameUsage]) -> dict[NameUsage, Resolution]:
        """Return what is known before the first miss; what comes after is a guess."""
        resolver, misses = Resolver(self), self._misses()
        found = {}
        self._steps = 0
        for use in uses:
            if self._steps > _MOST_STEPS:
                found[use] = UNRESOLVED
                continue
            answer = resolver.resolve(use)
            if self._misses() == misses:
                found[use] = answer
        return found

    def _misses(self) -> int:
        named = self._symbols.misses + self._imports.misses + self._slots.misses
        return named + self._supertypes.misses + self._members.misses

    def _read(self) -> None:
        if names := self._symbols.take():
            self._read_symbols(names)
        if imports := self._imports.take():
            self._read_imports(imports)
        if types := self._supertypes.take():
            self._read_supertypes(types)
        if owners := self._members.take():
            self._read_members(owners)
        if places := self._slots.take():
            self._read_slots(places)

    def _read_symbols(self, names: list[str]) -> None:
        by_name: dict[str, list[SymbolCandidate]] = defaultdict(list)
        with connection.cursor() as cursor:
            bounds = {"ref": self._ref.pk, "most": MOST_DEFINITIONS + 1}
            cursor.execute(_DEFINITIONS, {"names": names, **bounds})
            for name, ordinal, *columns, types in cursor.fetchall():
                # The columns end before the source, of which there is one.
                symbol = SymbolCandidate(*(*columns, 0, json.loads(types)))
                self._ordinals[symbol.key] = ordinal
                self._files[symbol.key] = symbol.file
                by_name[name].append(symbol)
        for found in by_name.values():
            if len(found) <= MOST_DEFINITIONS:
                self._keep(found)

    def _keep(self, symbols: Iterable[SymbolCandidate]) -> None:
        for symbol in symbols:
            last = symbol.qualified_name.rpartition(".")[2]
            if last in self._symbols.known:
                self._symbols.known[last].append(symbol)

    def _ask_for(self, uses: Iterable[NameUsage]) -> None:
        """Note whose files ask: what they import whole is read again for new ones."""
        files = {use.file for use in uses}
        if not files <= self._asking:
            self._asking |= files
            self._imports.known.pop("*", None)

    def _read_imports(self, names: list[str]) -> None:
        rows = uses_of(self._ref).filter(kind="import", last_name__in=names)
        # Every file of C# or Java opens modules; only what passes on concerns others.
        is_of_interest = (
            ~Q(last_name="*")
            | Q(file__in=self._asking)
            | Q(file__language__in=_PASSING_LANGUAGES)
        )
        for use in read_uses(rows.filter(is_of_interest)):
            last = use.usage.target.rpartition(".")[2]
            self._imports.known.setdefault(last, []).append(use.usage)

    def _read_supertypes(self, keys: list[int]) -> None:
        places = {(self._files[key], self._ordinals[key]): key for key in keys}
        rows = uses_of(self._ref).filter(
            kind__in=("inherit", "implement"), file__in={file for file, _ in places}
        )
        found = read_uses(rows.exclude(via__in=NO_TYPE))
        self._ask_for(use.usage for use in found)
        for use in found:
            key = places.get((use.usage.file, use.ordinal or 0))
            if key is not None:
                self._supertypes.known[key].append(use.usage)

    def _read_members(self, keys: list[int]) -> None:
        with connection.cursor() as cursor:
            cursor.execute(_MEMBERS, [keys])
            for owner, *columns in cursor.fetchall():
                self._members.known[owner].append(SymbolCandidate(*columns))

    def _read_slots(self, places: list[str]) -> None:
        fields = {place.rpartition(".")[2] for place in places}
        rows = slots_of(self._ref).filter(last_name__in=fields, target__in=places)
        for use in read_uses(rows[:_MOST_SLOTS]):
            self._slots.known[use.usage.target].append(use.usage)


def _names(use: NameUsage) -> Iterator[str]:
    """Yield what a resolver may ask for: each part, and what stands before a dot.

    A name with dots in it is one that its language writes so (`defmodule Shop.Cart`).
    """
    texts = {text.replace(CALL, "") for text in (use.name, use.target, use.type_name)}
    for written in texts - {""}:
        yield from re.split(r"[.|]", written)
        head = written.rpartition(".")[0]
        while "." in head:
            yield head
            head = head.rpartition(".")[0]


_MEMBERS = """
SELECT owner.id, s.id, s.file_id, f.module, f.language, s.kind, s.qualified_name
FROM sources_symbol owner
JOIN sources_symbol s
  ON s.file_id = owner.file_id AND s.parent_ordinal = owner.ordinal
JOIN sources_file f ON f.id = s.file_id
WHERE owner.id = ANY(%s)
"""

# The limit is for each name: one that stands everywhere costs no more than this.
_DEFINITIONS = """
SELECT wanted.name, found.*
FROM unnest(%(names)s::text[]) AS wanted(name)
CROSS JOIN LATERAL (
    SELECT s.ordinal, s.id, s.file_id, f.module, f.language, s.kind, s.qualified_name,
        s.value_types::text
    FROM sources_symbol s
    JOIN sources_reffile m
      ON m.file_id = s.file_id AND m.ref_id = %(ref)s AND m.until IS NULL
    JOIN sources_file f ON f.id = s.file_id
    WHERE s.name = wanted.name
    LIMIT %(most)s
) AS found
"""
