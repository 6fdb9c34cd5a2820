"""Which symbol uses which: references resolved to symbols, only where it is certain.

A call on an object whose type is unknown (`x.save()`) is left out: a missing edge costs
a sentence, a wrong one costs the reader's trust.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from devrag.wiki.imports import Import
from devrag.wiki.survey import Survey, SurveyReference, SurveySymbol

_RE_EXPORT_HOPS = 4
_SELF = {"self", "cls", "this"}


@dataclass(frozen=True, slots=True)
class Use:
    """A resolved reference: `source` (None = module level of `file`) uses `target`."""

    file: int
    source: int | None
    target: int
    kind: str
    line: int


def resolve_uses(survey: Survey, resolver: Resolver) -> list[Use]:
    """Resolve calls, base classes, types and decorators to symbols of the product."""
    modules = {symbol.id for symbol in survey.symbols if symbol.kind == "module"}
    uses = []
    for reference in survey.references:
        if reference.kind == "import":
            continue
        target = resolver.target(reference)
        if target is not None and target != reference.symbol and target not in modules:
            uses.append(
                Use(
                    reference.file,
                    None if reference.symbol in modules else reference.symbol,
                    target,
                    reference.kind,
                    reference.line,
                )
            )
    return uses


def use_edges(uses: Iterable[Use]) -> dict[int, dict[int, float]]:
    """Return symbol → symbol → number of uses; module-level uses have no source."""
    edges: dict[int, dict[int, float]] = defaultdict(dict)
    for use in uses:
        if use.source is not None:
            known = edges[use.source]
            known[use.target] = known.get(use.target, 0.0) + 1
    return dict(edges)


class Resolver:
    """Finds the symbol that a written name means, by scope, file and imports."""

    def __init__(self, survey: Survey, imports: Iterable[Import]) -> None:
        self._symbols = {symbol.id: symbol for symbol in survey.symbols}
        self._top: dict[tuple[int, str], int] = {}
        self._members: dict[tuple[int, str], int] = {}
        self._imported: dict[tuple[int, str], tuple[int, str]] = {}
        for symbol in survey.symbols:
            self._add(symbol)
        for item in imports:
            local = item.name.rpartition(".")[2]
            self._imported.setdefault((item.file, local), (item.target, item.rest))

    def _add(self, symbol: SurveySymbol) -> None:
        parent = self._symbols.get(symbol.parent or 0)
        if parent is None or parent.kind == "module":
            self._top.setdefault((symbol.file, symbol.name), symbol.id)
        else:
            self._members.setdefault((parent.id, symbol.name), symbol.id)

    def target(self, reference: SurveyReference) -> int | None:
        """Return the id of the symbol that is surely meant, else None."""
        head, *rest = reference.name.removesuffix("()").split(".")
        if head in _SELF:
            owner = self._owner(reference.symbol)
            if owner is None or len(rest) != 1:
                return None
            return self._member(owner, rest)
        imported = self._imported.get((reference.file, head))
        if imported is not None:
            file, inner = imported
            return self._path(file, [*inner.split("."), *rest] if inner else rest)
        return self._path(reference.file, [head, *rest])

    def _owner(self, symbol_id: int | None) -> int | None:
        while symbol_id is not None:
            symbol = self._symbols[symbol_id]
            if symbol.kind in {"class", "interface"}:
                return symbol.id
            symbol_id = symbol.parent
        return None

    def _path(self, file: int, names: list[str]) -> int | None:
        if not names:
            return None
        for _ in range(_RE_EXPORT_HOPS):
            top = self._top.get((file, names[0]))
            if top is not None:
                return self._member(top, names[1:])
            onward = self._imported.get((file, names[0]))
            if onward is None:
                return None
            file, inner = onward
            names = [*inner.split("."), *names[1:]] if inner else names[1:]
            if not names:
                return None
        return None

    def _member(self, owner: int, names: list[str]) -> int | None:
        for name in names:
            member = self._members.get((owner, name))
            if member is None:
                return None
            owner = member
        return owner
