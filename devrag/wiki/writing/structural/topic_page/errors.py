"""The errors that a topic's code raises, in one table for its page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from devrag.wiki.analysis.enclosing import function_at
from devrag.wiki.analysis.prose import cited, upper_first
from devrag.wiki.analysis.raised_errors import (
    RaisedError,
    bare_errors,
    errors_with_messages,
)
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.analysis.visibility import is_exposed
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.tables import table
from devrag.wiki.writing.structural.topic_page.told import Told
from devrag.wiki.writing.structural.topic_summary import purpose_in_brief

_OF_EACH = 5
_ROWS = 40
_CITED_MORE = 12
_CALLED = {"function", "method"}


def collect_errors(
    ctx: PageContext, symbols: Iterable[SurveySymbol], told: Told
) -> None:
    """Note the errors with messages that definitions raise, each message once."""
    count = 0
    for symbol in symbols:
        lines = ctx.book.lines(symbol.file)
        for error in errors_with_messages(lines, symbol.start_line, symbol.end_line):
            if count < _OF_EACH and not told.knows(error.message):
                told.add(error.message)
                told.errors.append((symbol.file, error))
                told.words += len(error.message.split())
                count += 1


def errors_table(ctx: PageContext, index: int, told: Told) -> list[str]:
    """Return the section on the errors of the topic's files: those noted come first.

    Then those of functions that users call, then those of others.
    """
    found = list(told.errors)
    seen = {(file, error.line) for file, error in found}
    messages = {error.message for _, error in found}
    for file, error in _errors_of(ctx, index):
        is_known = (file, error.line) in seen or (
            bool(error.message) and error.message in messages
        )
        if not is_known:
            found.append((file, error))
            messages.add(error.message)
    rows = [_row(ctx, file, error) for file, error in found[:_ROWS]]
    head = [ctx.say("Error"), ctx.say("Message"), ctx.say("Raised by")]
    if not rows:
        return []
    return [
        ctx.say("## Errors"),
        *table(head, rows),
        *_more(ctx, found[_ROWS:]),
    ]


def _errors_of(ctx: PageContext, index: int) -> Iterator[tuple[int, RaisedError]]:
    """Yield the errors that functions of the topic's files raise, of public ones first.

    One without a message counts where the product says what its class is for.
    """
    own = [
        symbol
        for file in ctx.analysis.topics[index].files
        if ctx.analysis.roles[file.id] == "code"
        for symbol in ctx.analysis.symbols_of.get(file.id, ())
        if symbol.kind in _CALLED
    ]
    own.sort(key=lambda s: not is_exposed(ctx.analysis, s))
    for symbol in own:
        lines = ctx.book.lines(symbol.file)
        place = symbol.start_line, symbol.end_line
        yield from ((symbol.file, e) for e in errors_with_messages(lines, *place))
    seen: set[str] = set()
    for symbol in own:
        lines = ctx.book.lines(symbol.file)
        for each in bare_errors(lines, symbol.start_line, symbol.end_line):
            if each.name not in seen and _class_of(ctx, symbol.file, each):
                seen.add(each.name)
                yield symbol.file, each


def _class_of(ctx: PageContext, file: int, error: RaisedError) -> SurveySymbol | None:
    """Return the class of an error, where the product has it with a description."""
    source = ctx.analysis.files[file].source
    found = (
        symbol
        for symbol in ctx.analysis.symbols_named.get(error.name, ())
        if symbol.kind == "class"
        and symbol.docstring
        and ctx.analysis.files[symbol.file].source == source
    )
    return next(found, None)


def _more(ctx: PageContext, rest: list[tuple[int, RaisedError]]) -> list[str]:
    """Return how many errors are left out, with the lines of the first."""
    if not rest:
        return []
    cites = "".join(
        ctx.book.cite(file, error.line, error.end_line)
        for file, error in rest[:_CITED_MORE]
    )
    said = ctx.say("There are {count} more of this kind.", count=len(rest))
    return [cited(said, cites)]


def _row(ctx: PageContext, file: int, error: RaisedError) -> list[str]:
    marker = ctx.book.cite(file, error.line, error.end_line)
    name = ctx.code(error.name) if error.name else ""
    said = error.message.replace("`", "'")
    message = f"`{said}`{marker}" if said else ""
    if not said and (owner := _class_of(ctx, file, error)) is not None:
        name += marker
        message = upper_first(purpose_in_brief(ctx, owner).strip(" ()"))
        message += ctx.cite_symbol(owner)
    raiser = function_at(ctx.analysis, file, error.line)
    if raiser is None:
        return [name, message, ""]
    named = ctx.declaration(raiser).named
    where = ctx.symbol_name(raiser) + ctx.book.cite(file, named, named)
    if error.passed_to:
        other = f"`{error.passed_to}()`"
        where = ctx.say("{name}, passed to {other}", name=where, other=other)
    return [name, message, where]
