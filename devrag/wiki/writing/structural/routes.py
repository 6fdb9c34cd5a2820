"""Routes as tables: each with its words where they have some, else by who answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from devrag.wiki.analysis.survey import SurveyFact, SurveySymbol
from devrag.wiki.evidence.page_evidence import MOST_LINES
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.inventory import SCHEMAS, words_of
from devrag.wiki.writing.structural.tables import table

_OWNERS = {"class", "interface"}
_TOLD_PER_GROUP = 60
_NAMED = 24


def route_tables(ctx: PageContext, routes: Sequence[SurveyFact]) -> list[str]:
    """Return the routes of one part: those that say what they do, then the others."""
    told: list[list[str]] = []
    silent: list[SurveyFact] = []
    for fact in routes:
        said = words_of(ctx, fact) if len(told) < _TOLD_PER_GROUP else ""
        if said:
            told.append([_name(fact), said, _function(ctx, fact)])
        else:
            silent.append(fact)
    head = [ctx.say("Route"), ctx.say("What it does"), ctx.say("Answered by")]
    return [
        *table(head, told),
        *table([ctx.say("Answered by"), ctx.say("Routes")], _by_handler(ctx, silent)),
    ]


def _function(ctx: PageContext, fact: SurveyFact) -> str:
    """Return the function that answers, '' where only its declaration is known."""
    symbol = ctx.analysis.symbol_at(fact)
    if symbol is None:
        return ""
    is_in_schema = fact.data.get("framework") in SCHEMAS
    if is_in_schema and fact.data.get("handler") == symbol.qualified_name:
        return ""
    return ctx.symbol_name(symbol) + ctx.cite_symbol(symbol)


def _by_handler(ctx: PageContext, routes: Sequence[SurveyFact]) -> list[list[str]]:
    groups: dict[str, list[SurveyFact]] = defaultdict(list)
    evidence: dict[str, str] = {}
    for fact in routes:
        handler, marker = _handler(ctx, fact)
        groups[handler].append(fact)
        evidence.setdefault(handler, marker)
    return [
        [handler + evidence[handler], _named(ctx, own)]
        for handler, own in list(groups.items())[:_TOLD_PER_GROUP]
    ]


def _named(ctx: PageContext, routes: Sequence[SurveyFact]) -> str:
    """Return the first routes of a handler by name, and how many more there are."""
    is_counted = len(routes) <= 3 * _NAMED
    shown = routes if is_counted else routes[:_NAMED]
    names = [_name(fact) for fact in routes[:_NAMED]]
    listed = ctx.listed(names, len(routes) - len(names))
    return (listed if is_counted else ctx.listed_open(names)) + _cite(ctx, shown)


def _handler(ctx: PageContext, fact: SurveyFact) -> tuple[str, str]:
    """Return the class that answers, else the function's file, else the route's."""
    symbol = ctx.analysis.symbol_at(fact)
    if symbol is None:
        return ctx.path(ctx.analysis.files[fact.file]), ""
    owner = _owner(ctx, symbol)
    if owner is not None:
        return ctx.symbol_name(owner), ctx.cite_symbol(owner)
    return ctx.path(ctx.analysis.files[symbol.file]), ctx.cite_symbol(symbol)


def _owner(ctx: PageContext, symbol: SurveySymbol) -> SurveySymbol | None:
    parent = ctx.analysis.symbols.get(symbol.parent or 0)
    return next((s for s in (symbol, parent) if s and s.kind in _OWNERS), None)


def _name(fact: SurveyFact) -> str:
    return f"`{' '.join(fact.name.split()).replace('`', '')}`"


def _cite(ctx: PageContext, facts: Sequence[SurveyFact]) -> str:
    """Cite the routes' lines, those close to each other as one place."""
    markers = ""
    start = end = file = 0
    for fact in facts:
        if file != fact.file or not start <= fact.end_line < start + MOST_LINES:
            markers += ctx.book.cite(file, start, end) if file else ""
            file, start, end = fact.file, fact.start_line, fact.end_line
        end = max(end, fact.end_line)
    return markers + (ctx.book.cite(file, start, end) if file else "")
