"""Find a definition, what it uses, and what uses it, in one version of a source."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.navigation.default_exports import imports_of_default
from devrag.navigation.resolution import Resolution
from devrag.navigation.stored_references import (
    Place,
    WrittenUse,
    read_uses,
    uses_of,
    with_types,
)
from devrag.navigation.symbol_lookup import StoredSymbols
from devrag.sources.models import GitRef, Reference, Symbol

# What a name that stands everywhere costs at most; the rest is counted.
MOST_USES = 8_000


@dataclass(frozen=True, slots=True)
class ResolvedUse:
    """A use and what it means."""

    use: WrittenUse
    meaning: Resolution

    @property
    def is_open(self) -> bool:
        """Whether nothing in this version is known that it may mean."""
        return self.meaning.symbol is None and not self.meaning.possible


@dataclass(frozen=True, slots=True)
class UsedSymbol:
    """The uses that mean a symbol, those that mean it for sure before others."""

    uses: tuple[WrittenUse, ...]
    by: str
    is_possible: bool


@dataclass(frozen=True, slots=True)
class Callers:
    """The uses that surely mean a symbol, and how many of its name do not.

    possible: those that may reach it, through an interface or by its name.
    unresolved: it cannot be told what they mean. elsewhere: another definition.
    unread: beyond MOST_USES.
    """

    uses: tuple[WrittenUse, ...]
    possible: tuple[WrittenUse, ...] = ()
    unresolved: int = 0
    elsewhere: int = 0
    unread: int = 0

    @property
    def all(self) -> tuple[WrittenUse, ...]:
        """The sure ones, then the possible."""
        return (*self.uses, *self.possible)


def symbols_of(ref: GitRef) -> QuerySet[Symbol]:
    """Return the symbols in a ref's current manifest, their files without text."""
    return (
        Symbol.objects.filter(file__manifests__ref=ref, file__manifests__until=None)
        .select_related("file")
        .defer("file__text")
    )


def get_symbol(ref: GitRef, uuid: UUID) -> Symbol:
    """Return a definition by its uuid. Queries: 1."""
    found = symbols_of(ref).filter(uuid=uuid).order_by("pk").first()
    if found is None:
        raise NotFound(
            gettext(
                "This definition is not in this version. It may have been renamed, "
                "moved or removed. Search for its name."
            )
        )
    return found


def members_of(symbol: Symbol) -> QuerySet[Symbol]:
    """Return what is defined directly within a symbol, in the order of lines."""
    rows = Symbol.objects.filter(file=symbol.file_id, parent_ordinal=symbol.ordinal)
    return rows.exclude(scope="local").order_by("start_line", "ordinal")


def callees(ref: GitRef, symbol: Symbol) -> list[ResolvedUse]:
    """Return what a symbol and what is defined within it use, resolved, by line.

    Queries: 3 and what resolving takes.
    """
    rows = uses_of(ref).filter(_within(symbol), file=symbol.file_id)
    uses = with_types(read_uses(rows.order_by("line", "pk")[:MOST_USES]))
    meanings = StoredSymbols(ref).resolve(use.usage for use in uses)
    resolved = [ResolvedUse(use, meanings[use.usage]) for use in uses]
    return [each for each in resolved if _leads_out(each.meaning, symbol)]


def uses_in_lines(ref: GitRef, file: int, first: int, last: int) -> list[ResolvedUse]:
    """Return the uses on some lines of a file, resolved, by line.

    Queries: 2 and what resolving takes.
    """
    rows = uses_of(ref).filter(file=file, line__gte=first, line__lte=last)
    uses = with_types(read_uses(rows.order_by("line", "pk")[:MOST_USES]))
    meanings = StoredSymbols(ref).resolve(use.usage for use in uses)
    return [ResolvedUse(use, meanings[use.usage]) for use in uses]


def meant_by(uses: Iterable[ResolvedUse]) -> dict[int, UsedSymbol]:
    """Return what is used by its key: what is meant for sure, then what may be."""
    sure: dict[int, list[ResolvedUse]] = defaultdict(list)
    possible: dict[int, list[ResolvedUse]] = defaultdict(list)
    for use in uses:
        if use.meaning.symbol is not None:
            sure[use.meaning.symbol.key].append(use)
        for each in use.meaning.possible:
            possible[each.key].append(use)
    found = {key: _used(group, is_possible=False) for key, group in sure.items()}
    for key, group in possible.items():
        if key not in found:
            found[key] = _used(group, is_possible=True)
    return found


def _used(group: list[ResolvedUse], *, is_possible: bool) -> UsedSymbol:
    uses = tuple(each.use for each in group)
    return UsedSymbol(uses, group[0].meaning.by, is_possible)


def _within(symbol: Symbol) -> Q:
    """Return the condition that a use stands in a symbol; a module has what is left."""
    if symbol.kind == "module":
        return Q(symbol_ordinal=None) | Q(symbol_ordinal=symbol.ordinal)
    inside = {symbol.ordinal}
    rows = Symbol.objects.filter(file=symbol.file_id, ordinal__gt=symbol.ordinal)
    pairs = rows.filter(start_line__lte=symbol.end_line).order_by("ordinal")
    for ordinal, parent in pairs.values_list("ordinal", "parent_ordinal"):
        if parent in inside:
            inside.add(ordinal)
    return Q(symbol_ordinal__in=inside)


def _leads_out(meaning: Resolution, symbol: Symbol) -> bool:
    return meaning.symbol is None or meaning.symbol.key != symbol.pk


def called_by(ref: GitRef, symbol: Symbol) -> Callers:
    """Return the uses that mean a symbol, by path and line.

    Queries: 3 and what resolving takes, one more for a name with too many uses, and
    those of imports_of_default().
    """
    rows = _uses_of_name(ref, symbol)
    # A variable itself is nobody's use; a member of it may be.
    open_rows = rows.exclude(Q(via="local") & ~Q(name__contains="."))
    uses = read_uses(open_rows.order_by("pk")[: MOST_USES + 1])
    unread = 0
    if len(uses) > MOST_USES:
        unread = open_rows.count() - MOST_USES
        uses = uses[:MOST_USES]
    uses = with_types(uses)
    meanings = StoredSymbols(ref).resolve(use.usage for use in uses)
    ways = {use: _way(meanings[use.usage], symbol.pk) for use in uses}
    counts = Counter(ways.values())
    return Callers(
        uses=_in_order(
            {
                *(use for use in uses if ways[use] == _SURE),
                *imports_of_default(ref, symbol),
            }
        ),
        possible=_in_order(use for use in uses if ways[use] == _POSSIBLE),
        unresolved=counts[_UNRESOLVED],
        elsewhere=counts[_ELSEWHERE],
        unread=unread,
    )


_SURE, _POSSIBLE, _ELSEWHERE, _UNRESOLVED = range(4)


def _way(meaning: Resolution, key: int) -> int:
    """Return how a use stands to the symbol of that key."""
    if meaning.symbol is not None and meaning.symbol.key == key:
        return _SURE
    if any(each.key == key for each in meaning.possible):
        return _POSSIBLE
    return _UNRESOLVED if meaning.symbol is None else _ELSEWHERE


def _in_order(uses: Iterable[WrittenUse]) -> tuple[WrittenUse, ...]:
    return tuple(sorted(uses, key=lambda use: (use.path, use.line)))


def _uses_of_name(ref: GitRef, symbol: Symbol) -> QuerySet[Reference]:
    """Return the uses whose last part is the symbol's.

    One that means a definition of its own file means none of another.
    """
    last = symbol.qualified_name.rpartition(".")[2]
    rows = uses_of(ref).filter(last_name=last)
    return rows.exclude(Q(via="file") & ~Q(file=symbol.file_id))


def uses_by_name(ref: GitRef, symbol: Symbol) -> list[WrittenUse]:
    """Return the uses that write a symbol's qualified name and mean nothing for sure.

    By path and line. Queries: 2 and what resolving takes.
    """
    rows = _uses_of_name(ref, symbol).filter(name=symbol.qualified_name)
    uses = with_types(read_uses(rows.order_by("pk")[:MOST_USES]))
    meanings = StoredSymbols(ref).resolve(use.usage for use in uses)
    return list(_in_order(use for use in uses if meanings[use.usage].symbol is None))


def symbols_around(uses: Iterable[WrittenUse]) -> dict[Place, Symbol]:
    """Return the symbol around each use by its place. Queries: 1."""
    places = {use.place for use in uses}
    rows = Symbol.objects.filter(
        file__in={file for file, _ in places},
        ordinal__in={ordinal for _, ordinal in places if ordinal is not None},
    ).only("file", "ordinal", "uuid", "kind", "qualified_name")
    return {(row.file_id, row.ordinal): row for row in rows}


def symbols_by_key(keys: Collection[int]) -> dict[int, Symbol]:
    """Return symbols with their files and sources by primary key. Queries: 1."""
    rows = Symbol.objects.filter(pk__in=keys).select_related("file__source")
    return {row.pk: row for row in rows.defer("file__text").order_by("pk")}
