"""Facts as list items: each with what its code says about it, grouped when many."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from devrag.wiki.analysis.prose import cited, first_sentence
from devrag.wiki.analysis.survey import SurveyFact, SurveySymbol, field_names
from devrag.wiki.evidence.page_evidence import MOST_LINES
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext

# Shapes of values that code hands on: no data that is kept or exchanged.
IN_MEMORY = frozenset({"dataclass", "attrs"})
_SHOWN_PER_FILE = 12
_FIELDS_SHOWN = 12
_MOST_ITEMS = 120
_NAMES_SHOWN = 24
_HEAD_LINES = 2
# What declares routes that other code answers.
SCHEMAS = frozenset({"grpc", "graphql"})
_ENTRIES = {
    "console_script": phrase("**`{name}`**, an installed command, calls {target}."),
    "untargeted": phrase("**`{name}`**, an installed command."),
    "library": phrase("**{target}** is what importing the package of {path} loads."),
    "service": phrase("**`{name}`** is a service of {path}."),
    "process": phrase("{command} is the process `{name}` of {path}."),
    "container": phrase("{command} is what the image of {path} starts."),
    "unit": phrase("{command} is what the unit of {path} starts."),
    "web": phrase("**{path}** is what the web server calls."),
    "started": phrase("{command} starts {path}."),
    "alone": phrase("**{path}** can be run directly."),
}
_NOUNS = {
    "entry_point": phrase("entry point"),
    "task": phrase("background task"),
    "command": phrase("command"),
    "route": phrase("route"),
    "model": phrase("model"),
}


def fact_items(ctx: PageContext, facts: Sequence[SurveyFact]) -> list[str]:
    """Return one list of facts; of a file with very many the later ones by name."""
    by_file: dict[int, list[SurveyFact]] = defaultdict(list)
    for fact in facts[:_MOST_ITEMS]:
        by_file[fact.file].append(fact)
    items, notes = [], []
    for file_id in sorted(by_file, key=lambda f: ctx.analysis.files[f].path):
        own = by_file[file_id]
        items += [fact_item(ctx, fact) for fact in own[:_SHOWN_PER_FILE]]
        if more := own[_SHOWN_PER_FILE:]:
            path = ctx.path(ctx.analysis.files[file_id])
            shown = [by_name(ctx, fact) for fact in more[:_NAMES_SHOWN]]
            names = ctx.listed(shown, len(more) - len(shown))
            notes.append(ctx.say("{path} also has {names}.", path=path, names=names))
    if (left := len(facts) - _MOST_ITEMS) > 0:
        notes.append(ctx.say("There are {count} more of this kind.", count=left))
    return ["\n".join(items), *notes]


def by_name(ctx: PageContext, fact: SurveyFact) -> str:
    """Return a fact's name, citing its first lines: a mark may stand above it."""
    last = min(fact.end_line, fact.start_line + _HEAD_LINES)
    marker = ctx.book.cite(fact.file, fact.start_line, last)
    return ctx.code(fact.name) + marker


def fact_item(ctx: PageContext, fact: SurveyFact) -> str:
    """Return one fact as a cited list item."""
    writer = _WRITERS.get(fact.kind, _plain)
    return "- " + writer(ctx, fact)


def _plain(ctx: PageContext, fact: SurveyFact) -> str:
    """Command, route, task or entry point: its handler's own words."""
    marker = ctx.book.cite(fact.file, fact.start_line, fact.end_line)
    file = ctx.analysis.files[fact.file]
    symbol = ctx.analysis.symbol_at(fact)
    if fact.kind == "entry_point":
        return _entry(ctx, fact, marker)
    name = f"**{ctx.code(fact.name)}**"
    if time := str(fact.data.get("schedule") or "").replace("`", ""):
        told = phrase("{name} runs at `{time}`, according to {path}.")
        return cited(ctx.say(told, name=name, time=time, path=ctx.path(file)), marker)
    if symbol is None:
        said = _help(ctx, fact, marker)
        told = ctx.say("{name} in {path}.", name=name, path=ctx.path(file))
        return f"{name}: {said}" if said else cited(told, marker)
    if said := words_of(ctx, fact):
        return f"{name}: {said}"
    return cited(
        _handled(ctx, fact, symbol, name), marker + _handler(ctx, fact, symbol)
    )


def words_of(ctx: PageContext, fact: SurveyFact) -> str:
    """Return what a fact says of itself, else its handler of what it does; or ''."""
    marker = ctx.book.cite(fact.file, fact.start_line, fact.end_line)
    if said := _help(ctx, fact, marker):
        return said
    both = (ctx.analysis.declared_at(fact), ctx.analysis.symbol_at(fact))
    words = (ctx.symbol_purpose(symbol) for symbol in both if symbol)
    return next(filter(None, words), "")


def _handled(
    ctx: PageContext, fact: SurveyFact, symbol: SurveySymbol, name: str
) -> str:
    told = (
        phrase("{name} is declared as {symbol} in {path}.")
        if fact.data.get("framework") in SCHEMAS
        else phrase("{name} is handled by {symbol} in {path}.")
    )
    home = ctx.path(ctx.analysis.files[symbol.file])
    return ctx.say(told, name=name, symbol=ctx.symbol_name(symbol), path=home)


def _handler(ctx: PageContext, fact: SurveyFact, symbol: SurveySymbol) -> str:
    return ctx.cite_symbol(symbol) if symbol.file != fact.file else ""


def _entry(ctx: PageContext, fact: SurveyFact, marker: str) -> str:
    path = ctx.path(ctx.analysis.files[fact.file])
    command = " ".join(str(fact.data.get("command") or "").split()).replace("`", "")
    kind = str(fact.data.get("type") or "")
    target = ctx.code(str(fact.data.get("target") or ""))
    if kind not in _ENTRIES:
        kind = "started" if command else "alone"
    elif kind == "console_script" and not target:
        kind = "untargeted"
    told = ctx.say(
        _ENTRIES[kind],
        command=f"**`{command or fact.name}`**",
        name=fact.name,
        target=target,
        path=path,
    )
    return cited(told, marker)


def _help(ctx: PageContext, fact: SurveyFact, marker: str) -> str:
    text = str(fact.data.get("help") or "")
    sentence = first_sentence(text, ctx.analysis.names)
    return cited(sentence, marker) if sentence else ""


def _model(ctx: PageContext, fact: SurveyFact) -> str:
    own = ctx.analysis.symbols_of.get(fact.file, [])
    symbol = next((s for s in own if s.qualified_name == fact.name), None)
    said = ctx.symbol_purpose(symbol) if symbol else ""
    file = ctx.analysis.files[fact.file]
    marker = ctx.book.cite(fact.file, fact.start_line, fact.end_line)
    name = f"**{ctx.code(fact.name)}**"
    where = ctx.say("{name} in {path}.", name=name, path=ctx.path(file))
    head = f"{name}: {said}" if said else cited(where, marker)
    fields = field_names(fact)
    one, many = phrase("Field: {names}."), phrase("Fields: {names}.")
    if fact.data.get("values"):
        fields = [str(value) for value in fact.data["values"]]
        one, many = phrase("Value: {names}."), phrase("Values: {names}.")
    if not fields:
        return head
    shown = [f"`{name}`" for name in fields[:_FIELDS_SHOWN]]
    is_whole = len(shown) == len(fields)
    names = ctx.listed(shown) if is_whole else ctx.listed_open(shown)
    told = ctx.say(one if len(fields) == 1 else many, names=names)
    return f"{head} {cited(told, _cite_fields(ctx, fact, fields[:_FIELDS_SHOWN]))}"


def _cite_fields(ctx: PageContext, fact: SurveyFact, fields: Iterable[str]) -> str:
    """Cite the lines of a model in which fields begin, near ones together."""
    lines = ctx.book.lines(fact.file)
    inside = range(fact.start_line, min(fact.end_line, len(lines)) + 1)
    first = (
        next((n for n in inside if re.search(rf"\b{re.escape(f)}\b", lines[n - 1])), 0)
        for f in fields
    )
    groups: list[list[int]] = []
    for number in sorted({fact.start_line, *filter(None, first)}):
        if groups and number - groups[-1][0] < MOST_LINES:
            groups[-1].append(number)
        else:
            groups.append([number])
    return "".join(ctx.book.cite(fact.file, g[0], g[-1]) for g in groups)


_WRITERS = {"model": _model}


def counts(ctx: PageContext, *kinds: str) -> str:
    """Return `3 commands, 12 routes and 2 tasks` for the kinds that occur."""
    return counts_of(ctx, ctx.analysis.facts(*kinds))


def counts_of(ctx: PageContext, facts: Iterable[SurveyFact]) -> str:
    """Return how many facts of which kinds these are."""
    numbers = Counter(fact.kind for fact in facts)
    return ctx.listed([ctx.counted(n, _NOUNS[kind]) for kind, n in numbers.items()])
