"""What the main function of a library calls, and what that calls in turn."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.wiki.analysis.conditions import IF
from devrag.wiki.analysis.steps import CALL, OUTSIDE, Step, steps_of
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.called_names import called_name
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_page.walked_functions import main_function

_DEPTH = 3
_CALLS = {1: 7, 2: 5, 3: 3}  # of a function at each depth
_FEWEST, _MOST = 4, 16  # items


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
    told = phrase("{name} in {path} makes these calls; those below one are its own:")
    path = ctx.path(ctx.analysis.files[start.file])
    name = ctx.symbol_name(start) + ctx.cite_symbol(start)
    return [ctx.say(told, name=name, path=path), "\n".join(items[:_MOST])]


def _calls(
    ctx: PageContext, symbol: SurveySymbol, depth: int, seen: set[int]
) -> Iterator[str]:
    """Yield an item for each call of a function, followed by those below it."""
    steps = [s for s in steps_of(ctx.analysis, symbol.id) if s.kind in {CALL, OUTSIDE}]
    own = {step.callee or step.text: step for step in reversed(steps)}
    shown = [step for step in steps if own[step.callee or step.text] is step]
    for step in shown[: _CALLS[depth]]:
        yield "  " * (depth - 1) + f"- {_item(ctx, symbol, step)}"
        callee = ctx.analysis.symbols.get(step.callee or 0)
        if callee is not None and callee.id not in seen and depth < _DEPTH:
            seen.add(callee.id)
            yield from _calls(ctx, callee, depth + 1, seen)


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
