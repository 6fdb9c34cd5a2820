"""Which definitions call which in one version, read many at a time.

A search for a path asks for the calls of a whole level of definitions; each answer
takes a few queries, however many these are. A call of a class leads on to its
constructor, and a call through an interface, an override, a table of functions or an
object of unknown type to each definition that may run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from uuid import UUID

from django.db.models import Q

from devrag.navigation.resolution import BY_NAME
from devrag.navigation.stored_references import (
    WrittenUse,
    read_uses,
    read_uses_at,
    uses_of,
    with_types,
)
from devrag.navigation.symbol_lookup import StoredSymbols
from devrag.navigation.types import TYPES, NameUsage, Resolution, SymbolCandidate
from devrag.sources.models import GitRef, Symbol

# Why a call only may lead to a definition. "" for one that surely does.
Doubt = Literal["", "implementation", "overload", "table", "type", "name"]
# call: of a function or class. construct: from a class to its constructor.
# override: from a method to one that runs instead of it.
EdgeKind = Literal["call", "construct", "override"]
CALLS = ("call", "decorator")
CONSTRUCTORS = ("__init__", "__new__", "constructor", "initialize", "__construct")
_FUNCTIONS = frozenset({"function", "method"})
_C = frozenset({"c", "cpp"})
# Uses of one level: of more, the first are looked at.
_MOST_USES = 6_000
# A name that is used more often, such as `get`, is not followed backwards.
_MOST_POSSIBLE = 60
_COLUMNS = (
    *("pk", "file_id", "file__path", "file__module", "file__language", "ordinal"),
    *("parent_ordinal", "kind", "name", "qualified_name", "start_line", "end_line"),
    "uuid",
)


@dataclass(frozen=True, slots=True)
class Definition:
    """A symbol as the graph needs it. ordinal, parent: within its file."""

    key: int
    file: int
    path: str
    module: str
    language: str
    ordinal: int
    parent: int | None
    kind: str
    name: str
    qualified_name: str
    start_line: int
    end_line: int
    uuid: UUID


@dataclass(frozen=True, slots=True)
class CallEdge:
    """A call. line: of the call, in the caller's file.

    doubt: why it may lead elsewhere. choices: how many definitions may run. named: the
    definition that the call names, where it is another than the one that runs.
    """

    caller: int
    callee: int
    line: int
    kind: EdgeKind = "call"
    doubt: Doubt = ""
    choices: int = 1
    named: int | None = None

    @property
    def is_possible(self) -> bool:
        return self.doubt != ""


class CallGraph:
    """The calls of a ref's current manifest. is_cut: some were not looked at."""

    def __init__(self, ref: GitRef) -> None:
        self.ref = ref
        self.is_cut = False
        self._symbols = StoredSymbols(ref)
        self._definitions: dict[int, Definition] = {}
        self._files: dict[int, dict[int, Definition]] = {}
        self._inside: dict[int, dict[int, list[int]]] = {}
        self._from: dict[int, list[CallEdge]] = {}
        self._to: dict[int, list[CallEdge]] = {}

    def __getitem__(self, key: int) -> Definition:
        return self._definitions[key]

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

    def members(self, key: int) -> list[Definition]:
        """Return what is defined directly within a definition."""
        own = self[key]
        inside = self._inside[own.file].get(own.ordinal, ())
        return [self._files[own.file][ordinal] for ordinal in inside]

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
        possible = self._symbols.resolve([use])[use].possible
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
        found: dict[int, dict[int, CallEdge]] = defaultdict(dict)
        for use, meaning in self._resolve(uses):
            for edge in _edges(use, meaning):
                for key in places[use.place]:
                    _keep(found[key], replace(edge, caller=key), by=edge.callee)
        for edge in self._constructed(keys):
            found[edge.caller][edge.callee] = edge
        self.load(callee for edges in found.values() for callee in edges)
        return {key: list(edges.values()) for key, edges in found.items()}

    def _ordinals_in(self, own: Definition) -> Iterator[int | None]:
        """Yield what stands in a definition; of a type nothing, of a file the rest."""
        if own.kind == "module":
            yield None
            yield own.ordinal
        elif own.kind not in TYPES:
            waiting = [own.ordinal]
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
                yield _construction(own, each.key, len(made))
            if not made:
                for name in CONSTRUCTORS:
                    use = self._member_use(own, f"{own.qualified_name}.{name}")
                    uses[use] = key
        for use, meaning in self._symbols.resolve(uses).items():
            if meaning.symbol is not None:
                yield _construction(self[uses[use]], meaning.symbol.key, 1)

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
            for edge in _edges(use, meaning)
            if edge.callee in wanted
        ]
        self.load_files({use.usage.file for use, _ in leading})
        found: dict[int, dict[int, CallEdge]] = defaultdict(dict)
        for use, edge in leading:
            for caller in self._callers_at(use):
                if caller != edge.callee:
                    _keep(found[edge.callee], replace(edge, caller=caller), by=caller)
        for each in filter(is_constructor, own):
            owner = self._files[each.file].get(each.parent or 0)
            if owner is not None and owner.kind in TYPES:
                made = [m for m in self.members(owner.key) if is_constructor(m)]
                edge = _construction(owner, each.key, len(made))
                found[each.key][owner.key] = edge
        return {key: list(edges.values()) for key, edges in found.items()}

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
                yield own.key
            ordinal = own.parent

    # -- both -------------------------------------------------------------------

    def _limited(self, uses: list[WrittenUse]) -> list[WrittenUse]:
        self.is_cut = self.is_cut or len(uses) > _MOST_USES
        return with_types(uses[:_MOST_USES])

    def _resolve(
        self, uses: Sequence[WrittenUse]
    ) -> Iterator[tuple[WrittenUse, Resolution]]:
        meanings: Mapping[NameUsage, Resolution] = self._symbols.resolve(
            use.usage for use in uses
        )
        return ((use, meanings[use.usage]) for use in uses)


def is_constructor(own: Definition) -> bool:
    """Return whether a method makes objects of the type around it."""
    owner = own.qualified_name.rpartition(".")[0].rpartition(".")[2]
    return own.kind == "method" and (own.name in CONSTRUCTORS or own.name == owner)


def _last_name(own: Definition) -> str:
    return own.qualified_name.rpartition(".")[2]


def _construction(owner: Definition, constructor: int, choices: int) -> CallEdge:
    doubt: Doubt = "overload" if choices > 1 else ""
    return CallEdge(
        owner.key, constructor, owner.start_line, "construct", doubt, choices
    )


def _edges(use: WrittenUse, meaning: Resolution) -> Iterator[CallEdge]:
    """Yield where a use leads, without its caller: that is the callee itself."""
    sure = meaning.symbol
    if sure is not None and sure.kind != "module":
        yield CallEdge(sure.key, sure.key, use.line)
    if len(meaning.possible) > _MOST_POSSIBLE:
        return
    choices = len(meaning.possible) + (sure is not None)
    for each in meaning.possible:
        yield CallEdge(
            each.key,
            each.key,
            use.line,
            doubt=_doubt(use, meaning, each),
            choices=choices,
            named=sure.key if sure is not None else None,
        )


def _doubt(use: WrittenUse, meaning: Resolution, each: SymbolCandidate) -> Doubt:
    if meaning.symbol is not None:
        return "implementation"
    if meaning.by == BY_NAME:
        return "name"
    same = [
        other
        for other in meaning.possible
        if (other.file, other.qualified_name) == (each.file, each.qualified_name)
    ]
    if len(same) > 1:
        return "overload"
    if use.usage.language in _C and each.kind == "function":
        return "table"
    return "implementation" if len(meaning.possible) == 1 else "type"


def _keep(edges: dict[int, CallEdge], edge: CallEdge, *, by: int) -> None:
    """Keep of several calls between two definitions the first sure one."""
    if edge.caller == edge.callee:
        return
    known = edges.get(by)
    if known is None or _order(edge) < _order(known):
        edges[by] = edge


def _order(edge: CallEdge) -> tuple[bool, int, int]:
    return edge.is_possible, edge.choices if edge.is_possible else 0, edge.line
