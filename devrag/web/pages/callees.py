"""What a definition uses: other definitions, and names that stay open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from devrag.navigation.resolution import BY_NAME
from devrag.navigation.symbols import (
    ResolvedUse,
    UsedSymbol,
    callees,
    meant_by,
    symbols_by_key,
)
from devrag.sources.models import Symbol
from devrag.web.pages.symbol_links import FoundDefinition, SymbolLink

_TARGETS, _NAMES = 60, 100
_REASONS = {
    "file": gettext_noop("defined in this file"),
    "import": gettext_noop("imported"),
    "member": gettext_noop("member of its own type"),
    "type": gettext_noop("member of a declared type"),
    "super": gettext_noop("inherited"),
    "package": gettext_noop("in the same package"),
    "unique": gettext_noop("only definition with this name"),
}


@dataclass(frozen=True, slots=True)
class CalleeRow:
    """A definition that is used, or may be; why: how it was found."""

    link: SymbolLink
    kinds: str
    line: int
    url: str
    count: int
    why: str


@dataclass(frozen=True, slots=True)
class OpenName:
    """A name that means no definition here for sure. candidates: it could be these."""

    name: str
    line: int
    url: str
    candidates: int


@dataclass(frozen=True, slots=True)
class CalleesView:
    """hidden_…: how many there are beyond those listed."""

    callees: tuple[CalleeRow, ...]
    hidden: int
    open_names: tuple[OpenName, ...]
    hidden_names: int
    supertypes: tuple[SymbolLink, ...]


def get_callees(found: FoundDefinition) -> CalleesView:
    """Return what a definition uses. Queries: 4 and what resolving takes."""
    uses = callees(found.ref, found.symbol)
    by_key = meant_by(uses)
    symbols = symbols_by_key(by_key)
    listed = [
        _callee(found, symbols[key], used)
        for key, used in by_key.items()
        if key in symbols and not _is_inside(found.symbol, symbols[key])
    ]
    names = _open_names(found, uses)
    return CalleesView(
        callees=tuple(listed[:_TARGETS]),
        hidden=max(0, len(listed) - _TARGETS),
        open_names=tuple(names[:_NAMES]),
        hidden_names=max(0, len(names) - _NAMES),
        supertypes=tuple(
            found.link(symbols[key])
            for key, used in by_key.items()
            if key in symbols and _is_supertype(found, used)
        ),
    )


def _is_supertype(found: FoundDefinition, used: UsedSymbol) -> bool:
    return not used.is_possible and any(
        use.ordinal == found.symbol.ordinal and use.kind in {"inherit", "implement"}
        for use in used.uses
    )


def _is_inside(outer: Symbol, inner: Symbol) -> bool:
    """Return whether the one is defined in the other: no use leads out then."""
    return outer.kind != "module" and (
        inner.file_id == outer.file_id
        and outer.start_line <= inner.start_line
        and inner.end_line <= outer.end_line
    )


def _callee(found: FoundDefinition, symbol: Symbol, used: UsedSymbol) -> CalleeRow:
    line = used.uses[0].line
    kinds = dict.fromkeys(use.kind for use in used.uses)
    return CalleeRow(
        link=found.link(symbol),
        kinds=", ".join(gettext(kind) for kind in kinds),
        line=line,
        url=found.file_url(found.symbol.file.path, line),
        count=len(used.uses),
        why=_reason(used),
    )


def _reason(used: UsedSymbol) -> str:
    if not used.is_possible:
        return gettext(_REASONS.get(used.by, used.by))
    if used.by == BY_NAME:
        return gettext("possible: only method with this name")
    return gettext("possible implementation")


def _open_names(found: FoundDefinition, uses: Iterable[ResolvedUse]) -> list[OpenName]:
    names: dict[str, OpenName] = {}
    for each in uses:
        name, line = each.use.usage.name, each.use.line
        if each.is_open and name not in names:
            url = found.file_url(found.symbol.file.path, line)
            names[name] = OpenName(name, line, url, each.meaning.candidates)
    return list(names.values())
