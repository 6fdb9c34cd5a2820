"""Facts as list items: each with what its code says about it, grouped when many."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from devrag.wiki.prose import cited, counted, first_sentence, join_names
from devrag.wiki.survey import SurveyFact, field_names
from devrag.wiki.writing.context import PageContext

_SHOWN_PER_FILE = 12
_FIELDS_SHOWN = 12
_LONGEST_DEFAULT = 60


def fact_items(ctx: PageContext, facts: Sequence[SurveyFact]) -> list[str]:
    """Return one list of facts; a file with very many shows the first ones."""
    by_file: dict[int, list[SurveyFact]] = defaultdict(list)
    for fact in facts:
        by_file[fact.file].append(fact)
    items, notes = [], []
    for file_id in sorted(by_file, key=lambda f: ctx.analysis.files[f].path):
        own = by_file[file_id]
        items += [fact_item(ctx, fact) for fact in own[:_SHOWN_PER_FILE]]
        if (more := len(own) - _SHOWN_PER_FILE) > 0:
            notes.append(f"{ctx.path(ctx.analysis.files[file_id])} has {more} more.")
    return ["\n".join(items), *([" ".join(notes)] if notes else [])]


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
        return cited(f"{name} runs at `{time}`, says {ctx.path(file)}.", marker)
    if symbol is None:
        said = _help(ctx, fact, marker)
        return (
            f"{name}: {said}" if said else cited(f"{name} in {ctx.path(file)}.", marker)
        )
    said = _help(ctx, fact, marker) or ctx.symbol_purpose(symbol)
    if not said and symbol.parent:
        said = ctx.symbol_purpose(ctx.analysis.symbols[symbol.parent])
    if said:
        return f"{name}: {said}"
    home = ctx.path(ctx.analysis.files[symbol.file])
    is_declared = fact.data.get("framework") in {"grpc", "graphql"}
    verb = "is declared as" if is_declared else "is handled by"
    where = f"{verb} {ctx.symbol_name(symbol)} in {home}"
    handler = ctx.cite_symbol(symbol) if symbol.file != fact.file else ""
    return cited(f"{name} {where}.", marker + handler)


def _entry(ctx: PageContext, fact: SurveyFact, marker: str) -> str:
    path = ctx.path(ctx.analysis.files[fact.file])
    command = " ".join(str(fact.data.get("command") or "").split()).replace("`", "")
    kind = str(fact.data.get("type") or "")
    name = f"**`{command or fact.name}`**"
    if kind in {"console_script", "library"}:
        target = ctx.code(str(fact.data.get("target") or ""))
        calls = f", calls {target}" if target else ""
        said = f"**`{fact.name}`**, an installed command{calls}."
        if kind == "library":
            said = f"**{target}** is what loading the package of {path} gives."
    elif kind == "service":
        said = f"**`{fact.name}`** is a service of {path}."
    elif kind == "process":
        said = f"{name} is the process `{fact.name}` of {path}."
    elif kind in {"container", "unit"}:
        what = "image" if kind == "container" else "unit"
        said = f"{name} is what the {what} of {path} starts."
    else:
        starts = f"{name} starts {path}."
        said = starts if command else f"**{path}** can be started by itself."
    return cited(said, marker)


def _help(ctx: PageContext, fact: SurveyFact, marker: str) -> str:
    text = str(fact.data.get("help") or "")
    sentence = first_sentence(text, ctx.analysis.names)
    return cited(sentence, marker) if sentence else ""


def _setting(ctx: PageContext, fact: SurveyFact) -> str:
    marker = ctx.book.cite(fact.file, fact.start_line, fact.end_line)
    default = fact.data.get("default")
    text = f"**{ctx.code(fact.name)}**"
    if default not in (None, "") and len(str(default)) <= _LONGEST_DEFAULT:
        text += f", by default `{str(default).replace('`', '')}`"
    said = str(fact.data.get("comment") or fact.data.get("help") or "")
    sentence = first_sentence(said, ctx.analysis.names)
    verb = "set" if fact.data.get("set_in") else "read"
    read_in = f"{verb} in {ctx.path(ctx.analysis.files[fact.file])}"
    return cited(f"{text}, {read_in}.", marker) + (f" {sentence}" if sentence else "")


def _model(ctx: PageContext, fact: SurveyFact) -> str:
    own = ctx.analysis.symbols_of.get(fact.file, [])
    symbol = next((s for s in own if s.qualified_name == fact.name), None)
    said = ctx.symbol_purpose(symbol) if symbol else ""
    file = ctx.analysis.files[fact.file]
    marker = ctx.book.cite(fact.file, fact.start_line, fact.end_line)
    where = cited(f"in {ctx.path(file)}.", marker)
    head = (
        f"**{ctx.code(fact.name)}**: {said}"
        if said
        else f"**{ctx.code(fact.name)}** {where}"
    )
    fields = field_names(fact)
    noun = "field"
    if fact.data.get("values"):
        fields, noun = [str(value) for value in fact.data["values"]], "value"
    if not fields:
        return head
    shown = [f"`{name}`" for name in fields[:_FIELDS_SHOWN]]
    more = len(fields) - len(shown)
    names = join_names([*shown, f"{more} more"] if more else shown)
    plural = "" if len(fields) == 1 else "s"
    return f"{head} " + cited(f"{noun.capitalize()}{plural}: {names}.", marker)


_WRITERS = {"setting": _setting, "model": _model}


def counts(ctx: PageContext, *kinds: str) -> str:
    """Return `3 commands, 12 routes and 2 tasks` for the kinds that occur."""
    return counts_of(ctx.analysis.facts(*kinds))


def counts_of(facts: Iterable[SurveyFact]) -> str:
    """Return how many facts of which kinds these are."""
    nouns = {"entry_point": "entry point", "task": "background task"}
    numbers = Counter(fact.kind for fact in facts)
    return join_names(
        [counted(n, nouns.get(kind, kind)) for kind, n in numbers.items()]
    )
