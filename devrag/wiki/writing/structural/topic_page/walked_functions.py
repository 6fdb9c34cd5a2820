"""Which functions of a topic are told step by step: those with most of its course.

Much called, much reached from them, called by tests and examples, or where the code is
entered; and what the first of them call.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from devrag.wiki.analysis.calls_by_users import calls_by_users
from devrag.wiki.analysis.exports import exports_of, public_members
from devrag.wiki.analysis.product_form import mentions_in_code
from devrag.wiki.analysis.steps import (
    CALL,
    COMMENT,
    OUTSIDE,
    RAISE,
    joined_steps,
    steps_of,
)
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.analysis.visibility import is_exposed
from devrag.wiki.writing.structural.context import PageContext

_FEWEST_ITEMS = 3
_CALLED = {"function", "method"}
_FEWEST_CALLS = 2
_MOST_PER_TYPE = 2
_ENTRY_BONUS, _EXPORT_BONUS, _HIDDEN_SHARE = 2.0, 1.5, 0.7
_DEPTH, _CALLED_BONUS = 6, 1.6
_LEAST_RANK = 0.5
_COURSE_BONUS, _USERS_BONUS = 1.5, 2.0
COURSE = re.compile(
    r"(main|run|execute\w?|start|serve|handle|dispatch|invoke|process)$", re.IGNORECASE
)
_FRONTS = {"__init__", "index", "main", "mod", "lib"}


def walked_functions(ctx: PageContext, index: int, count: int) -> list[SurveySymbol]:
    """Return the functions that show best how a topic works, callers first.

    count: the most of them.
    """
    return _in_order(ctx, _chosen(ctx, index, count))


def main_function(ctx: PageContext) -> SurveySymbol | None:
    """Return the function by which users enter the product that shows most of it.

    One at its front, or a method of what it exports that runs something; documents show
    what users call.
    """
    own = [
        symbol
        for file in ctx.analysis.with_role("code")
        for symbol in ctx.analysis.symbols_of.get(file.id, ())
        if symbol.kind in _CALLED and _is_entered(ctx, symbol)
    ]
    members = public_members(ctx.analysis, exports_of(ctx.analysis))
    own += [s for s in members if s.kind == "method" and COURSE.match(s.name)]
    highest = max((ctx.analysis.symbol_rank[s.id] for s in own), default=0) or 1.0
    shown = mentions_in_code(ctx.analysis)
    scores = {
        s.id: _score(ctx, s, highest) * (1 + math.log1p(shown[s.name])) for s in own
    }
    best = max(own, key=lambda s: (scores[s.id], -s.id), default=None)
    return best if best is not None and scores[best.id] else None


def _chosen(ctx: PageContext, index: int, count: int) -> list[SurveySymbol]:
    """Return the functions with most of the course in them, few of each type.

    What the ones before call is preferred: together they show one course.
    """
    own = [
        symbol
        for file in ctx.analysis.topics[index].files
        if ctx.analysis.roles[file.id] == "code"
        for symbol in ctx.analysis.symbols_of.get(file.id, ())
        if symbol.kind in _CALLED and not symbol.name.startswith("_")
        if not _is_inner(ctx, symbol)
    ]
    highest = max((ctx.analysis.symbol_rank[s.id] for s in own), default=1.0)
    most = max((calls_by_users(ctx.analysis, s) for s in own), default=0)
    score = {s.id: _score(ctx, s, highest) * _by_users(ctx, s, most) for s in own}
    left = {s.id: s for s in own if score[s.id]}
    chosen: list[SurveySymbol] = []
    called = set[int]()
    while left and len(chosen) < count:
        best = max(
            left.values(),
            key=lambda s: (
                score[s.id] * (_CALLED_BONUS if s.id in called else 1),
                -s.id,
            ),
        )
        chosen.append(best)
        called |= set(_called_by(ctx, best.id))
        of_type = [s for s in chosen if best.parent and s.parent == best.parent]
        is_full = len(of_type) == _MOST_PER_TYPE
        left = {
            n: s
            for n, s in left.items()
            if s.qualified_name != best.qualified_name
            and not (is_full and s.parent == best.parent)
        }
    return chosen


def _score(ctx: PageContext, symbol: SurveySymbol, highest: float) -> float:
    """Return how much a function shows of the course, 0 where it shows too little."""
    steps = steps_of(ctx.analysis, symbol.id)
    calls = [s for s in steps if s.kind in {CALL, OUTSIDE}]
    others = [s for s in steps if s.kind in {COMMENT, RAISE}]
    is_told = len(joined_steps(steps)) >= _FEWEST_ITEMS
    if not is_told or len(calls) < max(0, _FEWEST_CALLS - len(others)):
        return 0.0
    exported = {export.symbol.id for export in exports_of(ctx.analysis)}
    bonus = _ENTRY_BONUS if _is_entered(ctx, symbol) else 1.0
    bonus *= _COURSE_BONUS if COURSE.match(symbol.name) else 1.0
    bonus *= _EXPORT_BONUS if {symbol.id, symbol.parent} & exported else 1.0
    bonus *= 1.0 if is_exposed(ctx.analysis, symbol) else _HIDDEN_SHARE
    rank = ctx.analysis.symbol_rank[symbol.id] / highest
    if bonus > _COURSE_BONUS:  # its users are outside of the product
        rank = max(rank, _LEAST_RANK)
    outside = sum(step.kind == OUTSIDE for step in calls)
    shown = min(len(calls), 8) + 0.5 * min(len(others), 6)
    return (
        bonus
        * shown
        * (0.5 + rank)
        * (1 + math.sqrt(len(reached_from(ctx, symbol.id)) + outside))
    )


def _by_users(ctx: PageContext, symbol: SurveySymbol, most: int) -> float:
    """Return a bonus for what tests and examples call often. most: of any function."""
    return 1 + _USERS_BONUS * math.sqrt(
        calls_by_users(ctx.analysis, symbol) / (most or 1)
    )


def _is_inner(ctx: PageContext, symbol: SurveySymbol) -> bool:
    """Return whether a function stands inside of another."""
    parent = ctx.analysis.symbols.get(symbol.parent or 0)
    return parent is not None and parent.kind in _CALLED


def _is_entered(ctx: PageContext, symbol: SurveySymbol) -> bool:
    """Return whether a function is a start: of the product, or of its main file."""
    if symbol.id in ctx.analysis.entry_symbols:
        return True
    stem = ctx.analysis.files[symbol.file].stem.lower()
    is_front = stem in {*_FRONTS, ctx.analysis.survey.product.lower()}
    is_free = symbol.kind == "function" and ctx.is_top_level(symbol)
    return is_front and is_free and is_exposed(ctx.analysis, symbol)


def _called_by(ctx: PageContext, symbol: int) -> list[int]:
    """Return what a function calls of the product."""
    steps = steps_of(ctx.analysis, symbol)
    return [step.callee for step in steps if step.callee is not None]


def reached_from(ctx: PageContext, symbol: int) -> set[int]:
    """Return what is called from a function directly and in a few further steps."""
    found, last = {symbol}, {symbol}
    for _ in range(_DEPTH):
        last = {callee for s in last for callee in _called_by(ctx, s)} - found
        found |= last
    return found - {symbol}


def _in_order(ctx: PageContext, chosen: Sequence[SurveySymbol]) -> list[SurveySymbol]:
    """Return functions, each followed by those that are reached from it."""
    reached = {s.id: reached_from(ctx, s.id) for s in chosen}
    found: list[SurveySymbol] = []
    for first in sorted(chosen, key=lambda s: sum(s.id in r for r in reached.values())):
        below = [s for s in chosen if s.id in reached[first.id]]
        found += [s for s in (first, *below) if s not in found]
    return found
