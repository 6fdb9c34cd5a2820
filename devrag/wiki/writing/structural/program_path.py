"""How a program runs: from where it begins to what its main command does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from devrag.wiki.analysis.product_form import is_aside, main_functions
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.call_tree import call_items, calls_made
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_page.walked_functions import reached_from

_FEWEST, _MOST = 4, 30  # items
_TESTS = re.compile(r"(?:^|/)_?test", re.IGNORECASE)  # helpers of tests, too
_BEGINS = phrase(
    "The program begins with {name} in {path}, which makes these calls; those below "
    "one are its own:"
)
_HANDLES = {
    "command": phrase("The command {entry} runs {name} in {path}, with these calls:"),
    "route": phrase("A request to {entry} runs {name} in {path}, with these calls:"),
    "task": phrase("The task {entry} runs {name} in {path}, with these calls:"),
}


def program_path(ctx: PageContext) -> list[str]:
    """Return the calls of the function that starts, and of the main command.

    Return [] where they are few.
    """
    seen = set[int]()
    blocks: list[str] = []
    count = 0
    start = _start(ctx)
    for symbol in (start, _main_handler(ctx, start)):
        if symbol is None or symbol.id in seen:
            continue
        seen.add(symbol.id)
        items = list(call_items(ctx, symbol, calls_made(ctx, symbol), seen))[:_MOST]
        if items:
            blocks += [_opening(ctx, symbol), "\n".join(items)]
            count += len(items)
    return blocks if count >= _FEWEST else []


def _opening(ctx: PageContext, symbol: SurveySymbol) -> str:
    fact = ctx.analysis.entry_symbols.get(symbol.id)
    told = _HANDLES.get(fact.kind if fact else "", _BEGINS)
    entry = ctx.code(fact.name) if fact else ""
    if fact is not None:
        entry += ctx.book.cite(fact.file, fact.start_line, fact.end_line)
    name = ctx.symbol_name(symbol) + ctx.cite_symbol(symbol)
    path = ctx.path(ctx.analysis.files[symbol.file])
    return ctx.say(told, name=name, path=path, entry=entry)


def _start(ctx: PageContext) -> SurveySymbol | None:
    """Return the function by which the program begins that leads to most."""
    found = [
        ctx.analysis.symbols[symbol]
        for symbol, fact in ctx.analysis.entry_symbols.items()
        if fact.kind == "entry_point"
    ]
    return _most(ctx, [*main_functions(ctx.analysis), *found], is_start=True)


def _main_handler(ctx: PageContext, start: SurveySymbol | None) -> SurveySymbol | None:
    """Return what handles the command, request or task that leads to most."""
    reached = reached_from(ctx, start.id) if start else set[int]()
    found = [
        ctx.analysis.symbols[symbol]
        for symbol, fact in ctx.analysis.entry_symbols.items()
        if fact.kind in _HANDLES and symbol not in reached
    ]
    return _most(ctx, found)


def _most(
    ctx: PageContext, found: Sequence[SurveySymbol], *, is_start: bool = False
) -> SurveySymbol | None:
    """Return the function that leads to most.

    Of starts a declared one comes before a script, then one of the outermost.
    """

    def key(symbol: SurveySymbol) -> tuple[bool, int, int, int]:
        fact = ctx.analysis.entry_symbols.get(symbol.id)
        kind = fact.data.get("type") if fact else ""
        is_declared = kind != "script"
        is_placed = is_start and kind != "console_script"
        depth = ctx.analysis.files[symbol.file].path.count("/") if is_placed else 0
        return is_declared, -depth, len(reached_from(ctx, symbol.id)), -symbol.id

    own = [
        s
        for s in found
        if ctx.analysis.roles[s.file] == "code"
        and not is_aside(ctx.analysis.files[s.file].path)
        and not _TESTS.search(ctx.analysis.files[s.file].path)
    ]
    return max(own, key=key, default=None)
