"""Which functions do the product's main work: those on and below its main flows."""

from __future__ import annotations

from collections.abc import Iterable

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.flows import flows_of
from devrag.wiki.analysis.survey import SurveySymbol

_STEPS = 3  # of calls below a flow
_FEWEST_LINES = 6  # what is shorter passes a call on
_MOST = 60
_FUNCTIONS = {"function", "method"}


def main_functions(analysis: Analysis) -> list[SurveySymbol]:
    """Return functions on the main flows and what they call, the most used first.

    Calls of an interface lead to the methods of that name that implement it.
    """
    flows = flows_of(analysis).main()
    reached = {symbol for flow in flows for symbol in flow.symbols}
    for _ in range(_STEPS):
        reached |= {t for s in reached for t in analysis.symbol_edges.get(s, {})}
        reached |= set(_of_same_name(analysis, reached))
    known = (analysis.symbols[s] for s in reached if s in analysis.symbols)
    rank = analysis.symbol_rank
    found = [symbol for symbol in known if _does_work(analysis, symbol)]
    return sorted(found, key=lambda s: (-rank[s.id], s.id))[:_MOST]


def _of_same_name(analysis: Analysis, reached: Iterable[int]) -> Iterable[int]:
    for each in reached:
        symbol = analysis.symbols.get(each)
        if symbol is not None and symbol.kind == "method":
            yield from (s.id for s in analysis.symbols_named[symbol.name])


def _does_work(analysis: Analysis, symbol: SurveySymbol) -> bool:
    size = symbol.end_line - symbol.start_line + 1
    is_code = analysis.roles[symbol.file] == "code"
    return is_code and symbol.kind in _FUNCTIONS and size >= _FEWEST_LINES
