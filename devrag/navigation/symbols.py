"""Find a definition, what it uses, and what uses it, in one version of a source."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from devrag.core.errors import NotFound
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


@dataclass(frozen=True, slots=True)
class Callers:
    """The uses that surely mean a symbol, and how many of its name do not.

    unresolved: it cannot be told what they mean. elsewhere: another definition.
    unread: beyond MOST_USES.
    """

    uses: tuple[WrittenUse, ...]
    unresolved: int = 0
    elsewhere: int = 0
    unread: int = 0


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
                "There is no such definition in this version. It may have been "
                "renamed, moved or removed; search finds where its name stands now."
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

    Queries: 3 and what resolving takes, one more for a name with too many uses.
    """
    rows = _uses_of_name(ref, symbol)
    open_rows = rows.exclude(via="local")
    uses = read_uses(open_rows.order_by("pk")[: MOST_USES + 1])
    unread = 0
    if len(uses) > MOST_USES:
        unread = open_rows.count() - MOST_USES
        uses = uses[:MOST_USES]
    uses = with_types(uses)
    meanings = StoredSymbols(ref).resolve(use.usage for use in uses)
    meant = [meanings[use.usage].symbol for use in uses]
    found = [
        use
        for use, target in zip(uses, meant, strict=True)
        if target is not None and target.key == symbol.pk
    ]
    elsewhere = sum(1 for target in meant if target is not None) - len(found)
    # A variable's member may be this symbol: the type that it holds is not known.
    held = rows.filter(via="local", name__contains=".").count()
    return Callers(
        uses=tuple(sorted(found, key=lambda use: (use.path, use.line))),
        unresolved=meant.count(None) + held,
        elsewhere=elsewhere,
        unread=unread,
    )


def _uses_of_name(ref: GitRef, symbol: Symbol) -> QuerySet[Reference]:
    """Return the uses whose last part is the symbol's.

    One that means a definition of its own file means none of another.
    """
    last = symbol.qualified_name.rpartition(".")[2]
    rows = uses_of(ref).filter(last_name=last)
    return rows.exclude(Q(via="file") & ~Q(file=symbol.file_id))


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
