"""The function inside of another that a line of it is in."""

from __future__ import annotations

from devrag.wiki.analysis.inner_functions import (
    InnerFunction,
    deferring_call,
    inner_function,
)
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.writing.structural.context import PageContext


def function_around(
    ctx: PageContext, symbol: SurveySymbol, line: int
) -> InnerFunction | None:
    """Return the function inside of another that a line is in, None without one."""
    lines = ctx.analysis.lines.of(symbol.file)
    top = ctx.declaration(symbol).named
    return inner_function(lines, line, top, min(symbol.end_line, len(lines)))


def deferred_by(ctx: PageContext, symbol: SurveySymbol, line: int) -> str:
    """Return what lets the function around a line run later, '' without one."""
    lines = ctx.analysis.lines.of(symbol.file)
    return deferring_call(lines, line, ctx.declaration(symbol).named)
