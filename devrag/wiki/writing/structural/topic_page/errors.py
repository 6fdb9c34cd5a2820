"""The errors that a topic's code raises, in one table for its page."""

from __future__ import annotations

from collections.abc import Iterable

from devrag.wiki.analysis.enclosing import function_at
from devrag.wiki.analysis.raised_errors import RaisedError, raised_errors
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.tables import table
from devrag.wiki.writing.structural.topic_page.told import Told

_OF_EACH = 5
_ROWS = 14


def collect_errors(
    ctx: PageContext, symbols: Iterable[SurveySymbol], told: Told
) -> None:
    """Note the errors with messages that definitions raise, each message once."""
    count = 0
    for symbol in symbols:
        lines = ctx.book.lines(symbol.file)
        for error in raised_errors(lines, symbol.start_line, symbol.end_line):
            if count < _OF_EACH and not told.knows(error.message):
                told.add(error.message)
                told.errors.append((symbol.file, error))
                told.words += len(error.message.split())
                count += 1


def errors_table(ctx: PageContext, told: Told) -> list[str]:
    """Return the section on the errors that were noted."""
    rows = [_row(ctx, file, error) for file, error in told.errors[:_ROWS]]
    head = [ctx.say("Error"), ctx.say("Message"), ctx.say("Raised by")]
    return [ctx.say("## Errors"), *table(head, rows)] if rows else []


def _row(ctx: PageContext, file: int, error: RaisedError) -> list[str]:
    marker = ctx.book.cite(file, error.line, error.end_line)
    said = error.message.replace("`", "'")
    message = f"`{said}`{marker}"
    raiser = function_at(ctx.analysis, file, error.line)
    if raiser is None:
        return [ctx.code(error.name) if error.name else "", message, ""]
    named = ctx.declaration(raiser).named
    where = ctx.symbol_name(raiser) + ctx.book.cite(file, named, named)
    return [ctx.code(error.name) if error.name else "", message, where]
