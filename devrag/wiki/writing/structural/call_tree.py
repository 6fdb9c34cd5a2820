"""What a function calls, and what that calls in turn, as nested items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from devrag.wiki.analysis.conditions import FAILS, Condition
from devrag.wiki.analysis.flow_calls import constructor_of
from devrag.wiki.analysis.hierarchies import overriding
from devrag.wiki.analysis.hooks import hooks_of
from devrag.wiki.analysis.inner_functions import (
    CALLED,
    PASSED,
    READ,
)
from devrag.wiki.analysis.steps import CALL, OUTSIDE, Step, steps_of
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.called_names import called_name
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.inside import function_around
from devrag.wiki.writing.structural.shown_conditions import (
    caught_errors,
    conditions_said,
    is_plain,
)
from devrag.wiki.writing.structural.topic_page.walked_functions import (
    COURSE,
    reached_from,
)

_CALLS = {1: 8, 2: 5, 3: 3}  # of a function at each depth
_OF_COURSE = 14  # of one that by its name runs something
_OPENED = {1: 2, 2: 1}  # of the calls of a function, those whose own calls are told
_HELD, _RUNS = 20, 40  # reached functions that count as much
_ASIDE = 4  # what prepares, and what is called later, counts so much less
_PREPARES = re.compile(r"_*(?:init|setup|set_up|default|configure)", re.IGNORECASE)
_LATER = {
    READ: phrase("{name}, when {other} is read"),
    PASSED: phrase("{name}, in a function that {other} gets"),
    "": phrase("{name}, from a function inside of it"),
}


def calls_made(ctx: PageContext, symbol: SurveySymbol) -> list[Step]:
    """Return the calls of a function, each once, in their order.

    What it calls by a function of its own at once is its own call.
    """
    steps = [s for s in steps_of(ctx.analysis, symbol.id) if s.kind in {CALL, OUTSIDE}]
    own = {step.callee or step.text: step for step in reversed(steps)}
    return [
        replace(step, is_nested=False) if _is_at_once(ctx, symbol, step) else step
        for step in steps
        if own[step.callee or step.text] is step
    ]


def call_items(
    ctx: PageContext,
    symbol: SurveySymbol,
    steps: Sequence[Step],
    seen: set[int],
    depth: int = 1,
) -> Iterator[str]:
    """Yield an item for the most telling of the steps, followed by those below it.

    seen: the functions whose calls are told already; those opened here are added.
    """
    is_course = COURSE.match(symbol.name) and depth > 1
    shown = _most_telling(ctx, steps, _OF_COURSE if is_course else _CALLS[depth])
    able = [step for step in shown if step.callee is not None]
    opened = _most_telling(ctx, able, _OPENED.get(depth, 0))
    for step in shown:
        yield "  " * (depth - 1) + f"- {_item(ctx, symbol, step)}"
        callee = ctx.analysis.symbols.get(step.callee or 0)
        if step in opened and callee is not None and callee.id not in seen:
            seen.add(callee.id)
            body = constructor_of(ctx.analysis, callee)
            made = calls_made(ctx, body)
            yield from call_items(ctx, body, made, seen, depth + 1)
            if depth == 1 and COURSE.match(callee.name):
                yield from _overriding(ctx, callee, seen)


def _overriding(
    ctx: PageContext, symbol: SurveySymbol, seen: set[int]
) -> Iterator[str]:
    """Yield the method that takes a method's place in its main subclass."""
    other = overriding(ctx.analysis, symbol)
    made = calls_made(ctx, other) if other is not None else []
    if other is None or not made or other.id in seen:
        return
    seen.add(other.id)
    name = ctx.symbol_name(other) + ctx.cite_member(other)
    yield "  - " + ctx.say("{name}, which overrides it, calls:", name=name)
    yield from call_items(ctx, other, made, seen, 3)


def _is_at_once(ctx: PageContext, symbol: SurveySymbol, step: Step) -> bool:
    """Return whether a call in a function inside is made while the outer one runs."""
    if not step.is_nested:
        return False
    inner = function_around(ctx, symbol, step.line)
    return inner is not None and inner.how == CALLED


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
        return _later(ctx, symbol, step, name) + marker
    name = _with_hook(ctx, symbol, step, name)
    whole = step.condition.whole if step.condition is not None else ()
    plain = [c for c in whole if is_plain(c)]
    for each in whole:
        if each in plain or each.kind == FAILS:
            marker += ctx.book.cite(symbol.file, each.line, each.end_line)
    return _with_conditions(ctx, symbol, whole, name) + marker


def _with_conditions(
    ctx: PageContext, symbol: SurveySymbol, whole: Sequence[Condition], name: str
) -> str:
    """Return a name with the conditions and errors under which it is called."""
    caught = [c for c in whole if c.kind == FAILS and c.text]
    for each in caught[-1:]:
        errors = caught_errors(ctx, each)
        name = ctx.say("{name}, if {condition} is raised", name=name, condition=errors)
    plain = [c for c in whole if is_plain(c)]
    if not plain:
        return name
    language = ctx.analysis.files[symbol.file].language
    clauses = conditions_said(ctx, plain, language)
    return ctx.say("{name}, if {condition}", name=name, condition=clauses)


def _later(ctx: PageContext, symbol: SurveySymbol, step: Step, name: str) -> str:
    """Return what a function inside of another calls, with when it does."""
    inner = function_around(ctx, symbol, step.line)
    how = inner.how if inner is not None and inner.name else ""
    if inner is None or how not in _LATER:
        return ctx.say(_LATER[""], name=name)
    other = f"`{inner.name}{'()' if how == PASSED else ''}`"
    told = ctx.say(_LATER[how], name=name, other=other)
    return told + ctx.book.cite(symbol.file, inner.line, inner.line)


def _with_hook(ctx: PageContext, symbol: SurveySymbol, step: Step, name: str) -> str:
    """Return a name with what users supply and the call passes on."""
    text = ctx.analysis.lines.of(symbol.file)[step.line - 1]
    held = sorted(hooks_of(ctx.analysis, symbol.id))
    found = (
        match[0]
        for hook in held
        if (match := re.search(rf"(?<=[(,\s])\w+\.{hook}(?=\s*[,)])", text))
    )
    passed = next(found, None)
    if step.callee is None or passed is None:
        return name
    return ctx.say("{name}, which gets {what}", name=name, what=f"`{passed}`")
