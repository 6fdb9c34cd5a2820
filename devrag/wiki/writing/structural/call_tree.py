"""What the main function of a library calls, and what that calls in turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from devrag.wiki.analysis.conditions import IF
from devrag.wiki.analysis.product_form import mentions_in_code
from devrag.wiki.analysis.steps import CALL, OUTSIDE, Step, steps_of
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.called_names import called_name
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_page.walked_functions import (
    COURSE,
    main_function,
    reached_from,
)

_CALLS = {1: 8, 2: 5, 3: 3}  # of a function at each depth
_OF_COURSE = 14  # of one that by its name runs something
_OPENED = {1: 2, 2: 1}  # of the calls of a function, those whose own calls are told
_FEWEST, _MOST = 4, 36  # items
_HELD, _RUNS = 20, 40  # reached functions that count as much
_ASIDE = 4  # what prepares, and what is called later, counts so much less
_PREPARES = re.compile(r"_*(?:init|setup|set_up|default|configure)", re.IGNORECASE)


def call_tree(ctx: PageContext) -> list[str]:
    """Return the calls below the function that users call first, as nested items.

    Return [] where no function is at the front of the product, or it calls little.
    """
    start = main_function(ctx)
    if start is None:
        return []
    items = list(_calls(ctx, start, 1, {start.id}))
    if len(items) < _FEWEST:
        return []
    path = ctx.path(ctx.analysis.files[start.file])
    name = ctx.symbol_name(start) + ctx.cite_symbol(start)
    caller = _caller(ctx, start)
    told = phrase("{name} in {path} makes these calls; those below one are its own:")
    if caller:
        told = phrase(
            "{caller} calls {name} in {path}, which makes these calls; those below one "
            "are its own:"
        )
    said = ctx.say(told, name=name, path=path, caller=caller)
    return [said, "\n".join(items[:_MOST])]


def _caller(ctx: PageContext, start: SurveySymbol) -> str:
    """Return the function that examples show and that calls the first, cited."""
    shown = mentions_in_code(ctx.analysis)
    found = [
        (shown[caller.name], -use.line, use, caller)
        for use in ctx.analysis.uses
        if use.target == start.id and use.kind == "call" and use.source
        for caller in [ctx.analysis.symbols[use.source]]
        if caller.file == start.file and shown[caller.name] > shown[start.name]
    ]
    if not found:
        return ""
    *_, use, caller = max(found, key=lambda each: each[:2])
    marker = ctx.book.cite(use.file, use.line, use.line)
    return ctx.symbol_name(caller) + marker + ctx.cite_member(caller)


def _calls(
    ctx: PageContext, symbol: SurveySymbol, depth: int, seen: set[int]
) -> Iterator[str]:
    """Yield an item for each call of a function, followed by those below it."""
    steps = [s for s in steps_of(ctx.analysis, symbol.id) if s.kind in {CALL, OUTSIDE}]
    own = {step.callee or step.text: step for step in reversed(steps)}
    distinct = [step for step in steps if own[step.callee or step.text] is step]
    most = _OF_COURSE if COURSE.match(symbol.name) and depth > 1 else _CALLS[depth]
    shown = _most_telling(ctx, distinct, most)
    able = [step for step in shown if step.callee is not None]
    opened = _most_telling(ctx, able, _OPENED.get(depth, 0))
    for step in shown:
        yield "  " * (depth - 1) + f"- {_item(ctx, symbol, step)}"
        callee = ctx.analysis.symbols.get(step.callee or 0)
        if step in opened and callee is not None and callee.id not in seen:
            seen.add(callee.id)
            yield from _calls(ctx, callee, depth + 1, seen)


def _most_telling(ctx: PageContext, steps: Sequence[Step], most: int) -> list[Step]:
    """Return the calls that lead to most, in their order."""
    chosen = sorted(steps, key=lambda s: (-_weight(ctx, s), s.line))[:most]
    return [step for step in steps if step in chosen]


def _weight(ctx: PageContext, step: Step) -> int:
    """Return how much of the course a call leads to: what users supply counts most."""
    if step.callee is None:
        return 0 if step.name else _HELD
    name = ctx.analysis.symbols[step.callee].name
    weight = len(reached_from(ctx, step.callee)) + _RUNS * bool(COURSE.match(name))
    return weight // (_ASIDE if step.is_nested or _PREPARES.match(name) else 1)


def _item(ctx: PageContext, symbol: SurveySymbol, step: Step) -> str:
    """Return what is called and when, with the line of the call."""
    name = called_name(ctx, symbol.file, step)
    marker = ctx.book.cite(symbol.file, step.line, step.end_line)
    if step.is_nested:
        return ctx.say("{name}, from a function inside of it", name=name) + marker
    condition = step.condition
    if condition is None or not condition.text or condition.kind != IF:
        return name + marker
    marker += ctx.book.cite(symbol.file, condition.line, condition.end_line)
    told = phrase("{name}, if {condition}")
    return ctx.say(told, name=name, condition=f"`{condition.text}`") + marker
