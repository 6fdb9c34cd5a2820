"""Which definitions call which in one version, read many at a time.

A search for a path asks for the calls of a whole level of definitions; each answer
takes a few queries, however many these are. A call of a class leads on to its
constructor, and a call through an interface, an override, a table of functions or an
object of unknown type to each definition that may run.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace

from django.db.models import Q

from devrag.navigation.call_edges import (
    CONSTRUCTORS,
    CallEdge,
    Definition,
    construction,
    is_constructor,
    keep_best,
    uncertainty_of,
)
from devrag.navigation.common_methods import COMMON_METHODS
from devrag.navigation.stored_references import (
    WrittenUse,
    read_uses,
    read_uses_at,
    uses_of,
    with_types,
)
from devrag.navigation.types import (
    TYPES,
    NameUsage,
    Resolution,
    SymbolCandidate,
    family,
)
from devrag.navigation.version_symbols import symbols_of_version
from devrag.sources.models import GitRef, Symbol

CALLS = ("call", "decorator")
_FUNCTIONS = frozenset({"function", "method"})
# There definitions of one name in one file are different functions. Elsewhere they are
# stubs for types, or alternatives of which one is compiled.
_OVERLOADING = frozenset({"java", "csharp", "cpp", "swift", "kotlin", "scala"})
# How names are bound of whose object nothing is known.
_OPEN = frozenset({"", "local", "type"})
# Uses of one level: of more, the first are looked at.
_MOST_USES = 6_000
# A name that more methods have says too little.
_MOST_GUESSES = 12
_COLUMNS = (
    *("pk", "file_id", "file__path", "file__module", "file__language", "ordinal"),
    *("parent_ordinal", "kind", "name", "qualified_name", "start_line", "end_line"),
    "uuid",
)


class CallGraph:
    """The calls of a ref's current manifest. is_cut: some were not looked at."""

    def __init__(self, ref: GitRef) -> None:
        self.ref = ref
        self.is_cut = False
        self._is_guessing = False
        self._symbols = symbols_of_version(ref)
        self._until = math.inf
        self._definitions: dict[int, Definition] = {}
        self._same: dict[int, list[Definition]] = {}
        self._meant: dict[int, int] = {}
        self._files: dict[int, dict[int, Definition]] = {}
        self._inside: dict[int, dict[int, list[int]]] = {}
        self._from: dict[int, list[CallEdge]] = {}
        self._to: dict[int, list[CallEdge]] = {}

    def stop_at(self, until: float) -> None:
        """Look at no more calls after a time of the monotonic clock."""
        self._until = until

    def __getitem__(self, key: int) -> Definition:
        return self._definitions[key]

    def guessing(self) -> CallGraph:
        """Return a graph in which calls on unknown objects lead to methods by name."""
        graph = copy(self)
        graph._is_guessing = True
        graph._from, graph._to = {}, {}
        return graph

    def meant(self, keys: Iterable[int]) -> frozenset[int]:
        """Return the definitions that stand for these: stubs stand for nothing."""
        wanted = list(keys)
        self.load(wanted)
        return frozenset(map(self._one, wanted))

    def _one(self, key: int) -> int:
        return self._meant.get(key, key)

    def load(self, keys: Iterable[int]) -> None:
        """Read definitions with all others of their files. Queries: 2 at most."""
        new = {key for key in keys if key not in self._definitions}
        if new:
            rows = Symbol.objects.filter(pk__in=new).values_list("file", flat=True)
            self.load_files(set(rows))

    def load_files(self, files: Collection[int]) -> None:
        """Read the definitions of files. Queries: 1 at most."""
        new = [file for file in files if file not in self._files]
        if not new:
            return
        for file in new:
            self._files[file], self._inside[file] = {}, defaultdict(list)
        rows = Symbol.objects.filter(file__in=new).order_by("file", "ordinal")
        for row in rows.values_list(*_COLUMNS):
            each = Definition(*row)
            self._definitions[each.key] = each
            self._files[each.file][each.ordinal] = each
            if each.parent is not None:
                self._inside[each.file][each.parent].append(each.ordinal)
        for file in new:
            self._join(self._files[file].values())

    def _join(self, definitions: Iterable[Definition]) -> None:
        """Let definitions of one name be one where they are no overloads."""
        named: dict[str, list[Definition]] = defaultdict(list)
        for each in definitions:
            if each.kind in _FUNCTIONS and each.language not in _OVERLOADING:
                named[each.qualified_name].append(each)
        for same in named.values():
            if len(same) > 1:
                longest = max(same, key=lambda d: (d.end_line - d.start_line, d.key))
                self._same[longest.key] = same
                self._meant.update((each.key, longest.key) for each in same)

    def members(self, key: int) -> list[Definition]:
        """Return what is defined directly within a definition."""
        own = self[key]
        inside = self._inside[own.file].get(own.ordinal, ())
        return [self._files[own.file][ordinal] for ordinal in inside]

    def member(self, key: int, name: str) -> frozenset[int]:
        """Return the member of a type by its name, all overloads, also inherited."""
        self.load([key])
        own = self[key]
        meaning = self._symbols.resolve_one(
            self._member_use(own, f"{own.qualified_name}.{name}")
        )
        if meaning.symbol is not None:
            return self.meant([meaning.symbol.key])
        return self.meant(each.key for each in meaning.possible)

    def definitions_in(self, file: int) -> list[Definition]:
        """Return what a file defines, itself included."""
        self.load_files([file])
        return list(self._files[file].values())

    def calls_from(self, keys: Collection[int]) -> list[CallEdge]:
        """Return the calls that definitions make, with those of what is in them."""
        new = [key for key in keys if key not in self._from]
        if new:
            self.load(new)
            found = self._read_from(new)
            self._from.update((key, found.get(key, [])) for key in new)
        return [edge for key in keys for edge in self._from[key]]

    def calls_to(self, keys: Collection[int]) -> list[CallEdge]:
        """Return the calls that surely or possibly lead to definitions."""
        new = [key for key in keys if key not in self._to]
        if new:
            self.load(new)
            found = self._read_to(new)
            self._to.update((key, found.get(key, [])) for key in new)
        return [edge for key in keys for edge in self._to[key]]

    def overrides_of(self, key: int) -> list[CallEdge]:
        """Return the methods that may run instead of a method that is called."""
        self.load([key])
        own = self[key]
        if own.kind != "method" or "." not in own.qualified_name:
            return []
        use = self._member_use(own, own.qualified_name)
        possible = self._symbols.resolve_one(use).possible
        self.load(each.key for each in possible)
        edge = CallEdge(key, key, own.start_line, "override", "implementation")
        return [
            replace(edge, callee=each.key, choices=len(possible))
            for each in possible
            if each.key != key
        ]

    # -- forwards ---------------------------------------------------------------

    def _read_from(self, keys: Sequence[int]) -> dict[int, list[CallEdge]]:
        places: dict[tuple[int, int | None], list[int]] = defaultdict(list)
        for key in keys:
            for ordinal in self._ordinals_in(self[key]):
                places[self[key].file, ordinal].append(key)
        uses = self._limited(read_uses_at(places, CALLS, _MOST_USES + 1))
        resolved = list(self._resolve(uses))
        self.load(each.key for _, meaning in resolved for each in _symbols_of(meaning))
        found: dict[int, dict[int, CallEdge]] = defaultdict(dict)
        for use, meaning in resolved:
            for edge in self._edges(use, meaning):
                for key in places[use.place]:
                    keep_best(found[key], replace(edge, caller=key), by=edge.callee)
        for edge in self._constructed(keys):
            found[edge.caller][edge.callee] = edge
        self.load(callee for edges in found.values() for callee in edges)
        return {key: self._in_order(edges) for key, edges in found.items()}

    def _ordinals_in(self, own: Definition) -> Iterator[int | None]:
        """Yield what stands in a definition; of a type nothing, of a file the rest."""
        if own.kind == "module":
            yield None
            yield own.ordinal
        elif own.kind not in TYPES:
            waiting = [each.ordinal for each in self._same.get(own.key, [own])]
            while waiting:
                ordinal = waiting.pop()
                yield ordinal
                waiting += self._inside[own.file].get(ordinal, ())

    def _constructed(self, keys: Iterable[int]) -> Iterator[CallEdge]:
        """Yield edges from classes to their constructors, also inherited ones."""
        uses: dict[NameUsage, int] = {}
        for key in keys:
            own = self[key]
            if own.kind not in TYPES:
                continue
            made = [each for each in self.members(key) if is_constructor(each)]
            for each in made:
                yield construction(own, each.key, len(made))
            if not made:
                for name in CONSTRUCTORS:
                    use = self._member_use(own, f"{own.qualified_name}.{name}")
                    uses[use] = key
        for use, key in uses.items():
            made_by = self._symbols.resolve_one(use).symbol
            if made_by is not None:
                yield construction(self[key], made_by.key, 1)

    def _member_use(self, own: Definition, name: str) -> NameUsage:
        place = (own.file, own.module, own.language)
        return NameUsage(*place, name, name, "member")

    # -- backwards --------------------------------------------------------------

    def _read_to(self, keys: Sequence[int]) -> dict[int, list[CallEdge]]:
        wanted = set(keys)
        own = [self[key] for key in keys]
        rows = uses_of(self.ref).filter(
            kind__in=CALLS, last_name__in={_last_name(each) for each in own}
        )
        rows = rows.exclude(Q(via="local") & ~Q(name__contains="."))
        rows = rows.exclude(via__in=("foreign", "path"))
        rows = rows.exclude(Q(via="file") & ~Q(file__in={each.file for each in own}))
        uses = self._limited(read_uses(rows[: _MOST_USES + 1]))
        leading = [
            (use, edge)
            for use, meaning in self._resolve(uses)
            for edge in self._edges(use, meaning)
            if edge.callee in wanted
        ]
        self.load_files({use.usage.file for use, _ in leading})
        found: dict[int, dict[int, CallEdge]] = defaultdict(dict)
        for use, edge in leading:
            for caller in self._callers_at(use):
                if caller != edge.callee:
                    keep_best(
                        found[edge.callee], replace(edge, caller=caller), by=caller
                    )
        for each in filter(is_constructor, own):
            owner = self._files[each.file].get(each.parent or 0)
            if owner is not None and owner.kind in TYPES:
                made = [m for m in self.members(owner.key) if is_constructor(m)]
                edge = construction(owner, each.key, len(made))
                found[each.key][owner.key] = edge
        return {key: self._in_order(edges) for key, edges in found.items()}

    def _callers_at(self, use: WrittenUse) -> Iterator[int]:
        """Yield the definitions that a use stands in, but for types and the file."""
        table = self._files[use.usage.file]
        ordinal = use.ordinal
        if ordinal is None:
            modules = (d.key for d in table.values() if d.kind == "module")
            yield from list(modules)[:1]
        while ordinal is not None and ordinal in table:
            own = table[ordinal]
            if own.kind not in TYPES:
                yield self._one(own.key)
            ordinal = own.parent

    # -- both -------------------------------------------------------------------

    def _in_order(self, edges: dict[int, CallEdge]) -> list[CallEdge]:
        """Return calls in the order of the text: of callers, their lines, callees."""

        def place(edge: CallEdge) -> tuple[str, int, str, int]:
            caller, callee = self[edge.caller], self[edge.callee]
            return caller.path, edge.line, callee.path, callee.start_line

        return sorted(edges.values(), key=place)

    def _limited(self, uses: list[WrittenUse]) -> list[WrittenUse]:
        self.is_cut = self.is_cut or len(uses) > _MOST_USES
        return with_types(uses[:_MOST_USES])

    def _resolve(
        self, uses: Sequence[WrittenUse]
    ) -> Iterator[tuple[WrittenUse, Resolution]]:
        meanings = self._symbols.resolve((use.usage for use in uses), self._until)
        for use in uses:
            if use.usage in meanings:
                yield use, meanings[use.usage]
            else:
                self.is_cut = True

    def _edges(self, use: WrittenUse, meaning: Resolution) -> Iterator[CallEdge]:
        """Yield where a use leads, without its caller: that is the callee itself."""
        sure = meaning.symbol
        if sure is not None and sure.kind == "module":
            return
        possible = {self._one(each.key): each for each in meaning.possible}
        named = self._one(sure.key) if sure is not None else None
        if named is None and len(possible) == 1 < len(meaning.possible):
            named = next(iter(possible))
        if named is not None:
            yield CallEdge(named, named, use.line)
            possible.pop(named, None)
        elif not possible and self._is_guessing:
            yield from self._guesses(use, meaning)
        choices = len(possible) + (named is not None)
        for key, each in possible.items():
            uncertainty = uncertainty_of(use, meaning, each)
            yield CallEdge(key, key, use.line, "call", uncertainty, choices, named)

    def _guesses(self, use: WrittenUse, meaning: Resolution) -> Iterator[CallEdge]:
        """Yield the methods of a name, called on an object of unknown type."""
        last = use.usage.name.rpartition(".")[2]
        is_open = use.usage.via in _OPEN and not meaning.candidates
        if not is_open or last == use.usage.name or last in COMMON_METHODS:
            return
        kin = family(use.usage.language)
        named = {
            self._one(each.key)
            for each in self._symbols.definitions(last)
            if each.kind == "method" and family(each.language) == kin
        }
        if len(named) <= _MOST_GUESSES:
            for key in sorted(named):
                yield CallEdge(key, key, use.line, "call", "guess", len(named))


def _last_name(own: Definition) -> str:
    return own.qualified_name.rpartition(".")[2]


def _symbols_of(meaning: Resolution) -> Iterator[SymbolCandidate]:
    yield from meaning.possible
    if meaning.symbol is not None:
        yield meaning.symbol
