"""The calls that flows are made of: which function calls which, where it teaches."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.calls import ResolvedUse
from devrag.wiki.analysis.overloads import (
    OVERLOADING,
    count_arguments,
    overload_of,
)
from devrag.wiki.analysis.survey import SurveySymbol

CALLABLE = {"function", "method", "class"}
_CONSTRUCTORS = {"__init__", "constructor", "initialize", "new"}
SIDE = re.compile(
    r"^_*(log|debug|warn|error|fail|raise|die|usage|help|print|assert|deprecat|format"
    r"|repr|str|to_?string|hash|eq|copy|clone|len|free|close|del|exit|abort|get_?logger"
    r"|(start|stop|init|setup|write)_?(diagnostics|(cpu|mem(ory)?)?_?profil"
    r"|telemetry|tracing)|(fatal|info|trace)f?$|__\w+__)",
    re.IGNORECASE,
)
_SIDE_END = re.compile(
    r"_(free|alloc|realloc|copy|error|err|fmt|format|printf|strlen|length|kind|valid"
    r"|refcnt|init|deinit|cmp|equal|hash)$|(Error|Exception)$"
)
_STANDS_IN = re.compile(r"mock|fake|stub|dummy|noop|null", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Call:
    """One step of a flow. line: of the call, in the caller's file.

    is_possible: the caller names an interface that the callee implements.
    """

    caller: int
    callee: int
    line: int
    is_possible: bool


def is_constructor(symbol: SurveySymbol) -> bool:
    """Return whether a method makes objects of its class."""
    owner = symbol.qualified_name.rpartition(".")[0].rpartition(".")[2]
    is_named = symbol.name in _CONSTRUCTORS or symbol.name == owner
    return is_named and symbol.kind == "method"


def constructor_of(analysis: Analysis, symbol: SurveySymbol) -> SurveySymbol:
    """Return the method that makes the objects of a class, anything else as it is."""
    if symbol.kind != "class":
        return symbol
    members = analysis.members_of.get(symbol.id, ())
    return next(filter(is_constructor, members), symbol)


@cached_by_analysis
def calls_of(analysis: Analysis) -> dict[int, list[Call]]:
    """Return caller → its calls of code, without errors and what only reports.

    A call of an interface also leads to what implements it; a class to what its
    constructor calls.
    """
    found: dict[int, dict[int, Call]] = defaultdict(dict)
    for call in _every_call(analysis):
        if _is_telling(analysis, call.callee):
            found[call.caller].setdefault(call.callee, call)
    for symbol, members in analysis.members_of.items():
        for member in filter(is_constructor, members):
            for callee, call in found.get(member.id, {}).items():
                found[symbol].setdefault(callee, call)
    return {source: list(calls.values()) for source, calls in found.items()}


@cached_by_analysis
def lines_of_calls(analysis: Analysis) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return (caller, callee) → the lines on which one calls the other."""
    found: dict[tuple[int, int], set[int]] = defaultdict(set)
    for call in _every_call(analysis):
        found[call.caller, call.callee].add(call.line)
    return {pair: tuple(sorted(lines)) for pair, lines in found.items()}


def _every_call(analysis: Analysis) -> Iterator[Call]:
    """Yield the calls that functions make; what stands in a class runs at its start."""
    for use in (*analysis.uses, *analysis.possible_uses):
        if use.kind != "call" or use.source is None:
            continue
        caller, callee = analysis.symbols[use.source], analysis.symbols[use.target]
        is_doubtful = use.is_possible and (
            caller.qualified_name == callee.qualified_name
            or _STANDS_IN.search(callee.qualified_name)
        )
        if caller.kind == "class" or is_doubtful:
            continue
        meant = _meant(analysis, use)
        if meant != use.source:
            yield Call(use.source, meant, use.line, use.is_possible)


def _meant(analysis: Analysis, use: ResolvedUse) -> int:
    """Return the called symbol, of overloads the one that takes so many arguments."""
    target = analysis.symbols[use.target]
    language = analysis.files[use.file].language
    if language not in OVERLOADING or target.kind not in {"function", "method"}:
        return target.id
    lines = analysis.lines.of(use.file)
    passed = count_arguments(lines, use.line, target.name)
    if passed is None:
        return target.id
    found = overload_of(target, _named_as(analysis, target), passed)
    return target.id if found is None else found.id


def _named_as(analysis: Analysis, target: SurveySymbol) -> Iterator[SurveySymbol]:
    """Yield what may be an overload: of its file, then of other parts of its class.

    Names have no namespaces, so another class may have the same one.
    """
    yield from analysis.symbols_of.get(target.file, ())
    for symbol in analysis.symbols_named.get(target.name, ()):
        if symbol.file != target.file and _is_of_part(analysis, symbol):
            yield symbol


def _is_of_part(analysis: Analysis, symbol: SurveySymbol) -> bool:
    """Return whether a symbol is a member of a part of a class, as C# has them."""
    owner = analysis.symbols.get(symbol.parent or 0)
    return owner is not None and "partial" in owner.signature.split()


@cached_by_analysis
def _named_calls(analysis: Analysis) -> dict[tuple[int, int, str], int]:
    """Return (caller, line, name) → the symbol that the call surely names."""
    found: dict[tuple[int, int, str], int] = {}
    for use in analysis.uses:
        if use.kind == "call" and use.source is not None:
            name = analysis.symbols[use.target].name
            found.setdefault((use.source, use.line, name), use.target)
    return found


def named_by(analysis: Analysis, call: Call) -> SurveySymbol | None:
    """Return the method of an interface or base that a possible call names."""
    name = analysis.symbols[call.callee].name
    found = _named_calls(analysis).get((call.caller, call.line, name))
    return None if found in {None, call.callee} else analysis.symbols.get(found or 0)


def _is_telling(analysis: Analysis, symbol: int) -> bool:
    """Return whether a called symbol does something of its own: no macro, no report."""
    found = analysis.symbols[symbol]
    if found.signature.startswith("#"):
        return False
    is_code = analysis.roles[found.file] == "code" and found.kind in CALLABLE
    is_side = SIDE.match(found.name) or _SIDE_END.search(found.name)
    return is_code and symbol not in analysis.exceptions and not is_side
