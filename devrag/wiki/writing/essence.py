"""What a part is for, when it has to be told from its code: centre, data, doors."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable

from devrag.wiki.packages import Part
from devrag.wiki.prose import cited, counted, join_names, lower_first
from devrag.wiki.survey import SurveyFile, SurveySymbol
from devrag.wiki.writing.context import PageContext
from devrag.wiki.writing.inventory import counts_of

_NAMES_SHOWN = 6
_FAMILY_FROM = 4
_TOP_FILES = 3

# Data in these shapes travels; nothing says that it is stored.
_PASSED_ON = {"protobuf", "graphql"}


def essence(ctx: PageContext, part: Part) -> list[str]:
    """Return one paragraph on a part that does not explain itself; [] if nothing."""
    found = [
        sentence
        for sentence in (
            _family(ctx, part),
            _centre(ctx, part),
            _data(ctx, part),
            _doors(ctx, part),
        )
        if sentence
    ]
    return [" ".join(found)] if found else _defined(ctx, part)


def _family(ctx: PageContext, part: Part) -> str:
    """Many folders side by side that look alike are best told as a family."""
    folders: dict[str, set[str]] = defaultdict(set)
    for file in part.files:
        inside = file.path.removeprefix(f"{part.path}/").split("/")
        if len(inside) == 2 and ctx.analysis.roles[file.id] == "code":
            folders[inside[0]].add(inside[1])
    folders = {name: held for name, held in folders.items() if held - {"__init__.py"}}
    if len(folders) < _FAMILY_FROM:
        return ""
    held = Counter(name for files in folders.values() for name in files)
    usual = [
        f"`{name}`"
        for name, count in held.most_common(4)
        if count * 2 >= len(folders) and name != "__init__.py"
    ]
    shown = [ctx.code(name) for name in sorted(folders)[:_NAMES_SHOWN]]
    more = len(folders) - len(shown)
    names = join_names([*shown, f"{more} more"] if more else shown)
    likeness = f", most of them with {join_names(usual)}" if usual else ""
    return f"It is a family of {len(folders)} packages: {names}{likeness}."


def _centre(ctx: PageContext, part: Part) -> str:
    symbol = centre_of(ctx, part)
    if symbol is not None and (text := ctx.symbol_purpose(symbol)):
        return f"Its centre is {ctx.symbol_name(symbol)}: {lower_first(text)}"
    for file in ctx.by_rank(part.files)[:_TOP_FILES]:
        if text := ctx.file_purpose(file):
            return f"Its most used file is {ctx.path(file)}: {lower_first(text)}"
    return ""


def centre_of(ctx: PageContext, part: Part) -> SurveySymbol | None:
    """Return the documented class that the part is named after, or its weightiest."""
    classes = [s for s in ctx.defined_in(part) if s.kind == "class"]
    classes = [s for s in classes if s.id not in ctx.analysis.exceptions]
    if not classes:
        return None
    stems = {part.name.rpartition("/")[2].lower().replace("_", "")}
    stems |= {file.stem.lower().replace("_", "") for file in part.files[:1]}
    namesakes = [s for s in classes if s.name.lower().rstrip("s") in _singular(stems)]
    return max(namesakes or classes, key=lambda s: (weight(ctx, s), -s.id))


def _singular(names: Iterable[str]) -> set[str]:
    return {name.rstrip("s") for name in names}


def weight(ctx: PageContext, symbol: SurveySymbol) -> float:
    """Return how much a symbol matters: how used it is, and how much it holds."""
    lines = symbol.end_line - symbol.start_line + 2
    return ctx.analysis.symbol_rank[symbol.id] * math.log2(lines)


def _data(ctx: PageContext, part: Part) -> str:
    own = {file.id for file in part.files}
    models = [fact for fact in ctx.analysis.facts("model") if fact.file in own]
    if not models:
        return ""
    shown = [
        ctx.code(fact.name) + ctx.book.cite(fact.file, fact.start_line, fact.start_line)
        for fact in models[:_NAMES_SHOWN]
    ]
    more = len(models) - len(shown)
    frameworks = {str(fact.data.get("framework") or "") for fact in models}
    verb = "describes" if frameworks & _PASSED_ON else "keeps"
    return f"It {verb} {join_names([*shown, f'{more} more'] if more else shown)}."


def _doors(ctx: PageContext, part: Part) -> str:
    own = {file.id for file in part.files}
    facts = [
        fact
        for fact in ctx.analysis.facts("route", "command", "task")
        if fact.file in own
    ]
    if not facts:
        return ""
    first = facts[0]
    marker = ctx.book.cite(first.file, first.start_line, first.end_line)
    return cited(f"From outside it is reached by {counts_of(facts)}.", marker)


def _defined(ctx: PageContext, part: Part) -> list[str]:
    defined = ctx.defined_in(part)
    shown = [ctx.symbol_name(s) + ctx.cite_symbol(s) for s in defined[:_NAMES_SHOWN]]
    if not shown:
        return _held(ctx, part.files)
    more = len(defined) - len(shown)
    return [f"It defines {join_names([*shown, f'{more} more'] if more else shown)}."]


def _held(ctx: PageContext, files: Iterable[SurveyFile]) -> list[str]:
    held = [file for file in files if file.lines > 1]
    if not held:
        return []
    names = join_names([ctx.path(file) for file in held[:_NAMES_SHOWN]])
    if len(held) <= _NAMES_SHOWN:
        return [cited(f"It holds {names}.", ctx.book.cite(held[0].id, 1, 12))]
    marker = ctx.book.cite(held[0].id, 1, min(held[0].lines, 12))
    return [
        cited(f"It holds {counted(len(held), 'file')}, among them {names}.", marker)
    ]
