"""Classes that inherit or implement each other, and the few that a diagram shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.calls import ResolvedUse
from devrag.wiki.analysis.method_signatures import can_implement
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.analysis.topics.types import Topic

_KINDS = {"class", "interface"}
_IMPLEMENTING = {"class", "type"}  # a map of Go can have methods, too
_FEWEST = 3
MOST_CLASSES = 12


@dataclass(frozen=True, slots=True)
class Subtype:
    """One class that inherits or implements another; line: where it says so.

    is_possible: it does not say so, but has methods of all the names that an interface
    asks for; line: where it is defined.
    """

    symbol: int
    base: int
    is_implementing: bool
    file: int
    line: int
    is_possible: bool = False


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """The drawn classes, first the one most others build on, and how many are not."""

    classes: tuple[SurveySymbol, ...]
    subtypes: tuple[Subtype, ...]
    left_out: int


def hierarchy_of(analysis: Analysis, topic: Topic) -> Hierarchy | None:
    """Return the most important hierarchy of a part; None where it has none.

    Only classes of the index count, so a framework's base ties nothing together.
    """
    own = {file.id for file in topic.files if analysis.roles[file.id] == "code"}
    subtypes = [subtype for subtype in _all_subtypes(analysis) if subtype.file in own]
    groups = [g for g in _groups(subtypes) if _is_told(analysis, g, own)]
    if not groups:
        return None
    rank = analysis.symbol_rank
    errors = analysis.exceptions
    best = max(
        groups, key=lambda g: (not g <= errors, sum(rank[s] for s in g), -min(g))
    )
    return _drawn(analysis, best, subtypes)


@cached_by_analysis
def subtypes_of(analysis: Analysis) -> dict[int, list[Subtype]]:
    """Return base → the classes of the code that build on it, by rank."""
    found: dict[int, list[Subtype]] = defaultdict(list)
    for subtype in _all_subtypes(analysis):
        if analysis.roles[subtype.file] == "code":
            found[subtype.base].append(subtype)
    rank = analysis.symbol_rank
    for subtypes in found.values():
        subtypes.sort(key=lambda subtype: (-rank[subtype.symbol], subtype.symbol))
    return dict(found)


def overriding(analysis: Analysis, method: SurveySymbol) -> SurveySymbol | None:
    """Return the method that takes its place in the most used subclass with one."""
    for subtype in subtypes_of(analysis).get(method.parent or 0, ()):
        for member in analysis.members_of.get(subtype.symbol, ()):
            is_same = member.name == method.name and member.kind == "method"
            if is_same and not subtype.is_possible:
                return member
    return None


def _is_told(analysis: Analysis, group: set[int], own: set[int]) -> bool:
    return sum(analysis.symbols[s].file in own for s in group) >= _FEWEST


@cached_by_analysis
def _all_subtypes(analysis: Analysis) -> list[Subtype]:
    """Return who inherits or implements whom; an `impl` block stands for its type."""
    symbols = analysis.symbols
    found: dict[tuple[int, int], Subtype] = {}
    for use in analysis.uses:
        source = _type_of(analysis, use)
        if source is None or symbols[use.target].kind not in _KINDS:
            continue
        if use.kind in {"inherit", "implement"} and source != use.target:
            is_implementing = _is_implementing(analysis, use, source)
            file = symbols[source].file
            subtype = Subtype(source, use.target, is_implementing, file, use.line)
            if use.file == file:
                found.setdefault((source, use.target), subtype)
    for subtype in _possible_subtypes(analysis):
        found.setdefault((subtype.symbol, subtype.base), subtype)
    return list(found.values())


def _possible_subtypes(analysis: Analysis) -> Iterator[Subtype]:
    """Yield the types that satisfy an interface of the code by their methods alone."""
    for base in analysis.survey.symbols:
        if base.kind not in _KINDS or analysis.roles[base.file] != "code":
            continue
        for symbol in analysis.implementations(base):
            if symbol.kind in _IMPLEMENTING and _has_methods(analysis, symbol, base):
                place = symbol.file, symbol.start_line
                yield Subtype(symbol.id, base.id, True, *place, is_possible=True)


def _has_methods(analysis: Analysis, symbol: SurveySymbol, base: SurveySymbol) -> bool:
    """Return whether the methods of a type have the signatures an interface asks for.

    Those that it embeds are not compared.
    """
    files = analysis.files
    own = {m.name: m for m in analysis.members_of.get(symbol.id, ())}
    return all(
        can_implement(own[m.name], files[own[m.name].file], m, files[m.file])
        for m in analysis.members_of.get(base.id, ())
        if m.kind == "method" and m.name in own
    )


def _is_implementing(analysis: Analysis, use: ResolvedUse, source: int) -> bool:
    kinds = analysis.symbols[source].kind, analysis.symbols[use.target].kind
    return use.kind == "implement" or kinds == ("class", "interface")


def _type_of(analysis: Analysis, use: ResolvedUse) -> int | None:
    symbol = analysis.symbols.get(use.source or 0)
    if symbol is None or symbol.kind in _KINDS:
        return symbol.id if symbol else None
    if symbol.kind != "extension":
        return None
    same = analysis.symbols_of[symbol.file]
    named = (s for s in same if s.qualified_name == symbol.qualified_name)
    return next((s.id for s in named if s.kind in _KINDS), None)


def _groups(subtypes: Iterable[Subtype]) -> list[set[int]]:
    """Return the sets of classes that are tied to each other."""
    group: dict[int, set[int]] = {}
    for subtype in subtypes:
        joined = group.get(subtype.symbol, {subtype.symbol}) | group.get(
            subtype.base, {subtype.base}
        )
        group.update(dict.fromkeys(joined, joined))
    return [*{id(members): members for members in group.values()}.values()]


def _drawn(analysis: Analysis, group: set[int], subtypes: list[Subtype]) -> Hierarchy:
    """Take classes from the most inherited one on, next those of the highest rank."""
    within = [subtype for subtype in subtypes if subtype.symbol in group]
    beside: dict[int, set[int]] = defaultdict(set)
    users: dict[int, int] = defaultdict(int)
    for subtype in within:
        beside[subtype.symbol].add(subtype.base)
        beside[subtype.base].add(subtype.symbol)
        users[subtype.base] += 1
    rank = analysis.symbol_rank

    def weight(symbol: int) -> tuple[int, float, int]:
        return users[symbol], rank[symbol], -symbol

    taken = [max(group, key=weight)]
    while len(taken) < MOST_CLASSES:
        near = {s for known in taken for s in beside[known]}.difference(taken)
        if not near:
            break
        taken.append(max(near, key=weight))
    return Hierarchy(
        tuple(analysis.symbols[symbol] for symbol in taken),
        tuple(_between(within, taken)),
        len(group) - len(taken),
    )


def _between(subtypes: Iterable[Subtype], taken: Collection[int]) -> Iterable[Subtype]:
    return (
        subtype for subtype in subtypes if {subtype.symbol, subtype.base} <= set(taken)
    )
