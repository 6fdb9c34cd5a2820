"""What surrounds a product: who uses it, and which systems it relies on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.boundaries import (
    DATABASE,
    FILE,
    NETWORK,
    PROCESS,
    QUEUE,
    STREAM,
)
from devrag.wiki.analysis.exports import distinct_exports
from devrag.wiki.analysis.flows import flows_of
from devrag.wiki.analysis.product_form import form_of, is_aside, started
from devrag.wiki.analysis.survey import SurveyFact, SurveySymbol
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.diagrams import fence, label

_SYSTEMS_SHOWN, _SHOWN = 6, 3
_USERS = (
    ("route", phrase("HTTP clients"), phrase("requests")),
    ("command", phrase("People at a command line"), phrase("commands")),
    ("task", phrase("Scheduler or task queue"), phrase("tasks")),
)
_OUTSIDE = (
    (NETWORK, phrase("Network"), phrase("sends and receives")),
    (DATABASE, phrase("Database"), phrase("stores and reads")),
    (QUEUE, phrase("Queue"), phrase("sends and receives")),
    (PROCESS, phrase("Other processes"), phrase("starts")),
    (FILE, phrase("File system"), phrase("stores and reads")),
    (STREAM, phrase("Caller's stream"), phrase("reads and writes")),
)
_NAMED = {NETWORK, DATABASE, QUEUE}


@dataclass(frozen=True, slots=True)
class _Neighbour:
    """A person or system beside the product. edge: what passes between them.

    told: the sentence about it, with links and evidence.
    """

    name: str
    edge: str
    told: str
    is_user: bool


def context_diagram(ctx: PageContext) -> list[str]:
    """Return a diagram of users and outside systems, and a line on each; [] without.

    A database or a queue is a cylinder, a person or a client is rounded.
    """
    found = [*_users(ctx), *_outside(ctx)]
    if not any(n.is_user for n in found) or len(found) < _SHOWN - 1:
        return []
    lines = ["flowchart LR", f'  product["{label(ctx.analysis.title)}"]']
    for number, each in enumerate(found):
        name = label(each.name)
        if each.is_user:
            lines.append(f'  n{number}(["{name}"]) -->|"{label(each.edge)}"| product')
        else:
            lines.append(f'  product -->|"{label(each.edge)}"| n{number}[("{name}")]')
    return [fence("\n".join(lines)), "\n".join(f"- {each.told}" for each in found)]


def _users(ctx: PageContext) -> Iterator[_Neighbour]:
    by_kind: dict[str, list[SurveyFact]] = defaultdict(list)
    for fact in started(ctx.analysis):
        by_kind[fact.kind].append(fact)
    if form_of(ctx.analysis).is_library:
        yield _code_that_imports(ctx)
    for kind, name, edge in _USERS:
        facts = by_kind[kind]
        if facts:
            yield _user(ctx, facts, ctx.say(name), ctx.say(edge))
    scripts = [f for f in by_kind["entry_point"] if f.data.get("type") != "script"]
    if scripts and not by_kind["command"] and not by_kind["route"]:
        name, edge = _USERS[1][1:]
        yield _user(ctx, scripts, ctx.say(name), ctx.say(edge))


def _code_that_imports(ctx: PageContext) -> _Neighbour:
    exports = distinct_exports(ctx.analysis)
    name = ctx.say("Code that imports it")
    told = ctx.say(
        "**{name}** calls its {names}: {link}.",
        name=name,
        names=ctx.counted(len(exports), "exported name"),
        link=ctx.link_to("api"),
    )
    return _Neighbour(name, ctx.say("calls"), told, is_user=True)


def _user(
    ctx: PageContext, facts: Sequence[SurveyFact], name: str, edge: str
) -> _Neighbour:
    shown = list({fact.name: fact for fact in facts}.values())
    told = ctx.say(
        "**{name}**: {names}. More: {link}.",
        name=name,
        names=ctx.listed_cited(
            [ctx.code(fact.name) for fact in shown],
            lambda n: ctx.book.cite(
                shown[n].file, shown[n].start_line, shown[n].end_line
            ),
            _SHOWN,
        ),
        link=ctx.link_to("interfaces"),
    )
    return _Neighbour(name, edge, told, is_user=True)


def _outside(ctx: PageContext) -> Iterator[_Neighbour]:
    """Yield the systems behind the product, by what calls them."""
    analysis = ctx.analysis
    groups: dict[str, dict[str, list[tuple[SurveySymbol, int]]]]
    groups = defaultdict(lambda: defaultdict(list))
    for symbol_id, boundary in flows_of(analysis).boundaries.items():
        symbol = analysis.symbols[symbol_id]
        if not is_aside(analysis.files[symbol.file].path):
            system = boundary.system if boundary.kind in _NAMED else ""
            groups[boundary.kind][system].append((symbol, boundary.line))
    for kind, name, edge in _OUTSIDE:
        systems = sorted(groups[kind].items(), key=lambda s: (-len(s[1]), s[0]))
        if systems:
            yield _system(ctx, systems, ctx.say(name), ctx.say(edge))


def _system(
    ctx: PageContext,
    systems: Sequence[tuple[str, list[tuple[SurveySymbol, int]]]],
    name: str,
    edge: str,
) -> _Neighbour:
    packages = [package for package, _ in systems if package]
    named = f"{name} ({', '.join(packages[:_SYSTEMS_SHOWN])})" if packages else name
    callers = [caller for _, own in systems for caller in own]
    rank = ctx.analysis.symbol_rank
    callers.sort(key=lambda c: (not c[0].docstring, -rank[c[0].id], c[0].id))
    told = ctx.say(
        "**{name}**: reached from {callers}.",
        name=named,
        callers=ctx.listed_cited(
            [ctx.symbol_name(symbol) for symbol, _ in callers],
            lambda n: _cite_line(ctx, *callers[n]),
            _SHOWN,
        ),
    )
    return _Neighbour(named, edge, told, is_user=False)


def _cite_line(ctx: PageContext, symbol: SurveySymbol, line: int) -> str:
    """Cite where a function begins and the line with which it leaves the process."""
    begin = ctx.book.cite(symbol.file, *ctx.declaration(symbol).signature)
    return begin + ctx.book.cite(symbol.file, line, line)
