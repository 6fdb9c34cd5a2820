"""What functions without words of their own call: a way through undocumented code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_page.told import Told

_FUNCTIONS = 3
_FEWEST_CALLS, _MOST_CALLS = 3, 6
_LEAST_LINES = 12
_HUB = 25  # callers; what everybody calls tells nothing


@cached_by_analysis
def calls_by_caller(analysis: Analysis) -> dict[int, list[tuple[int, int]]]:
    """Return caller → (line, callee) of its first call of each, in order."""
    found: dict[int, list[tuple[int, int]]] = {}
    callers: dict[int, int] = {}
    lines: dict[tuple[int | None, int], int] = {}
    for use in analysis.uses:
        if use.kind == "call":
            lines.setdefault((use.source, use.target), use.line)
    for (caller, callee), line in lines.items():
        if caller is not None and caller != callee:
            found.setdefault(caller, []).append((line, callee))
            callers[callee] = callers.get(callee, 0) + 1
    return {
        caller: sorted(call for call in calls if callers[call[1]] < _HUB)
        for caller, calls in found.items()
    }


def told_calls(
    ctx: PageContext, symbols: Sequence[SurveySymbol], told: Told
) -> list[str]:
    """Return an item for each of the longest silent functions: what it calls."""
    calls = calls_by_caller(ctx.analysis)
    silent = [
        s
        for s in symbols
        if not s.docstring
        and s.end_line - s.start_line >= _LEAST_LINES
        and len(calls.get(s.id, [])) >= _FEWEST_CALLS
    ]
    silent.sort(key=lambda s: (-len(calls[s.id]), s.id))
    items = []
    for symbol in silent[:_FUNCTIONS]:
        told.symbols.add(symbol.id)
        made = calls[symbol.id]
        names = ctx.listed_cited(
            [ctx.symbol_name(ctx.analysis.symbols[callee]) for _, callee in made],
            partial(_cite_call, ctx, symbol, made),
            _MOST_CALLS,
        )
        name = ctx.symbol_name(symbol) + ctx.cite_member(symbol)
        items.append(f"- {ctx.say('{name} calls {names}.', name=name, names=names)}")
        told.words += len(items[-1].split())
    return items


def _cite_call(
    ctx: PageContext, caller: SurveySymbol, made: Sequence[tuple[int, int]], place: int
) -> str:
    line = made[place][0]
    return ctx.book.cite(caller.file, line, line)
