"""Sentences on the steps of a function: calls, errors, results, with conditions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from devrag.wiki.analysis.conditions import Condition
from devrag.wiki.analysis.inner_functions import CALLED, PASSED, READ, RETURNED
from devrag.wiki.analysis.prose import cited, full_stop, upper_first
from devrag.wiki.analysis.steps import CALL, OUTSIDE, RAISE, RETURN, Step
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.called_names import (
    called_purpose,
    called_with,
)
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.inside import (
    deferred_by,
    function_around,
)
from devrag.wiki.writing.structural.shown_conditions import (
    is_uncertain,
    under_conditions,
)

_NAMES = 5
_RAISES = {"python", "ruby"}
_ONE_CALL = re.compile(r"^(?:await |\*)?[\w$.]+\([^()]*\)$")
_RETURNS_ERRORS = {"go", "rust"}
_NOTHING = {"None", "nil", "null", "self", "this", "undefined"}
_INSIDE = {
    CALLED: phrase("it calls {names}"),
    PASSED: phrase("the function that it passes to {other} calls {names}"),
    READ: phrase("when {other} is read, it calls {names}"),
    RETURNED: phrase("the function that it returns calls {names}"),
}


def under_condition(
    ctx: PageContext, symbol: SurveySymbol, steps: Sequence[Step]
) -> list[str]:
    """Return sentences on steps of one condition: calls, and what is returned."""
    found: list[str] = []
    while steps:
        count = next(
            (n for n, s in enumerate(steps) if s.kind not in {CALL, OUTSIDE}),
            len(steps),
        )
        rest = steps[count:]
        if count and rest and rest[0].kind == RETURN:
            found.append(_calls(ctx, symbol, steps[:count], rest[0]))
            rest = rest[1:]
        elif count:
            found.append(_calls(ctx, symbol, steps[:count]))
        else:
            found.append(_single(ctx, symbol, rest[0]))
            rest = rest[1:]
        steps = rest
    return found


def _calls(
    ctx: PageContext,
    symbol: SurveySymbol,
    steps: Sequence[Step],
    returned: Step | None = None,
) -> str:
    """Return one sentence on calls under the same condition, and on the result."""
    if returned is not None and returned.test:
        return ctx.joined([_calls(ctx, symbol, steps), _single(ctx, symbol, returned)])
    names = list(dict.fromkeys(called_with(ctx, symbol, step) for step in steps))
    if returned is not None and _is_untold(returned):
        returned = None
    if returned is not None:
        value = f"`{returned.text}`"
        told = phrase("it calls {names} and returns {what}")
        if len(names) == 1 and _is_result(steps[-1], returned):
            told = phrase("it returns {what}")
            value += called_purpose(ctx, steps[-1])
        what = ctx.say(told, names=ctx.listed(names[:_NAMES]), what=value)
        return _when(ctx, symbol, [*steps[:_NAMES], returned], what)
    shown = ctx.listed(names[:_NAMES])
    return _when(ctx, symbol, steps[:_NAMES], _made(ctx, symbol, steps, shown))


def _made(
    ctx: PageContext, symbol: SurveySymbol, steps: Sequence[Step], names: str
) -> str:
    """Return that calls are made, or when they are if not by the function itself."""
    first = steps[0]
    if first.is_nested:
        return _made_inside(ctx, symbol, first, names)
    told = phrase("it calls {names}")
    if all(_is_construction(ctx, symbol, step) for step in steps):
        told = phrase("it creates {names}")
    if is_uncertain(_whole(first)):
        told = phrase("it may call {names}")
    if first.is_deferred:
        told = phrase("at the end it calls {names}")
    return ctx.say(told, names=names)


def _made_inside(ctx: PageContext, symbol: SurveySymbol, step: Step, names: str) -> str:
    """Return that a function inside of another makes calls, and when it runs."""
    inner = function_around(ctx, symbol, step.line)
    if deferring := deferred_by(ctx, symbol, step.line):
        told = phrase("{names} (deferred with {other})")
        names = ctx.say(told, names=names, other=f"`{deferring}()`")
    how = inner.how if inner is not None else ""
    told = _INSIDE.get(how, phrase("a function inside of it calls {names}"))
    other = f"`{inner.name}{'()' if how == PASSED else ''}`" if inner else ""
    return ctx.say(told, names=names, other=other)


def _is_construction(ctx: PageContext, symbol: SurveySymbol, step: Step) -> bool:
    """Return whether a call makes an object of a class."""
    callee = ctx.analysis.symbols.get(step.callee or 0)
    name = callee.name if callee is not None else step.text.rpartition(".")[2]
    line = ctx.book.lines(symbol.file)[step.line - 1]
    is_new = re.search(rf"\bnew\s+(?:[\w$]+\.)*{re.escape(name)}\s*\(", line)
    return bool(is_new) or (callee is not None and callee.kind == "class")


def _single(ctx: PageContext, symbol: SurveySymbol, step: Step) -> str:
    what = _raised(ctx, symbol, step) if step.kind == RAISE else ""
    if step.kind == RETURN:
        what = _returned(ctx, step)
    if step.kind == RETURN and _is_untold(step):
        return ""
    return _when(ctx, symbol, [step], what) if what else ""


def _is_untold(step: Step) -> bool:
    """Return whether a result tells nothing: the object itself, or unknown when."""
    if step.condition is None:
        return step.text in _NOTHING and not step.test
    return is_uncertain(_whole(step))


def _is_result(call: Step, returned: Step) -> bool:
    """Return whether nothing but what a call gives is returned."""
    return call.line == returned.line and bool(_ONE_CALL.match(returned.text))


def _returned(ctx: PageContext, step: Step) -> str:
    if not step.test:
        return ctx.say("it returns {what}", what=f"`{step.text}`")
    return ctx.say(
        "if {condition}, it returns {what}; otherwise {other}",
        condition=f"`{step.test}`",
        what=f"`{step.text}`",
        other=f"`{step.otherwise}`",
    )


def _raised(ctx: PageContext, symbol: SurveySymbol, step: Step) -> str:
    language = ctx.analysis.files[symbol.file].language
    message = step.text.replace("`", "'").rstrip(".")
    if language in _RETURNS_ERRORS or not step.name:
        told = phrase("it fails with the message {message}")
        return ctx.say(told, message=f"`{message}`") if message else ""
    is_clear = not is_uncertain(_whole(step))
    is_raised = language in _RAISES
    verb = phrase("it raises {error}") if is_raised else phrase("it throws {error}")
    if not is_clear:
        can = phrase("it can raise {error}")
        verb = can if is_raised else phrase("it can throw {error}")
    error = f"`{step.name}`"
    if message:
        error = ctx.say(
            "{error} with the message {message}", error=error, message=f"`{message}`"
        )
    return ctx.say(verb, error=error)


def _when(
    ctx: PageContext, symbol: SurveySymbol, steps: Sequence[Step], what: str
) -> str:
    """Return a sentence with its condition, cited."""
    marker = "".join(_lines(ctx, symbol, steps))
    language = ctx.analysis.files[symbol.file].language
    told = under_conditions(ctx, _whole(steps[0]), what, language)
    return cited(full_stop(upper_first(told)), marker)


def _whole(step: Step) -> tuple[Condition, ...]:
    """Return the conditions of a step, the outermost first."""
    return step.condition.whole if step.condition is not None else ()


def _lines(
    ctx: PageContext, symbol: SurveySymbol, steps: Sequence[Step]
) -> Iterator[str]:
    """Yield the markers of the conditions and of each step."""
    for condition in _whole(steps[0]):
        yield ctx.book.cite(symbol.file, condition.line, condition.end_line)
        if condition.subject_line:
            line = condition.subject_line
            yield ctx.book.cite(symbol.file, line, line)
    for line, end in dict.fromkeys((step.line, step.end_line) for step in steps):
        yield ctx.book.cite(symbol.file, line, end)
