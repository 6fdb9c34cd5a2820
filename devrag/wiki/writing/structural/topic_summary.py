"""What a part is for, from its code alone: centre, data, entry points."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from devrag.wiki.analysis.exports import is_left_out
from devrag.wiki.analysis.leads import central_symbols, lead_of
from devrag.wiki.analysis.prose import cited, first_sentence, only_names
from devrag.wiki.analysis.roles import is_of_build
from devrag.wiki.analysis.survey import SurveyFact, SurveyFile, SurveySymbol
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.analysis.visibility import is_exposed
from devrag.wiki.analysis.without_name import without_name
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.introductions import introduce
from devrag.wiki.writing.structural.inventory import IN_MEMORY, counts_of

_NAMES_SHOWN, _DEFINED_SHOWN = 6, 3
_FAMILY_FROM = 4
_TOP_FILES, _FILES_NAMED = 3, 2
_FACTS_CITED = 12
_FEWEST_BEGINNINGS = 2
_LONGEST_PURPOSE = 150
_FEWEST_MODULES = 2
_HIDDEN = re.compile(r"_(?!_)")
_INTERNAL = re.compile(r"^(?:internal|private|deprecated|reference)\b", re.IGNORECASE)
_NOTICE = re.compile(
    r"\(|://|^\W*==|^(?:deprecated|references?|will be deprecated)\b", re.IGNORECASE
)
_CODE_SPAN = re.compile(r"`[^`]*`")
_CALLED = {"function", "method"}
_MAIN_DEFINITIONS = phrase("The main definitions of {topic} ({files}) are {names}.")
_MAIN = {
    True: phrase("The main functions of {topic} ({files}) are {names}."),
    False: phrase("The main types of {topic} ({files}) are {names}."),
}
_LISTED = {
    True: phrase("Its main functions:"),
    False: phrase("Its main types:"),
}
_SEGMENT = re.compile(r"(?<=/)[^/{}:<>$*().]+(?=/|$)|^[a-z][\w-]*(?=/|$)")
_API = re.compile(r"^(api|rest|v\d+)$")

# Data in these shapes travels; nothing says that it is stored.
_PASSED_ON = {"protobuf", "graphql", "json", "pydantic", *IN_MEMORY}


def summarise_code(ctx: PageContext, topic: Topic) -> list[str]:
    """Return one paragraph on a topic, from its code alone; [] if nothing."""
    opening = (
        _family(ctx, topic)
        or _modules(ctx, topic)
        or introduce(ctx, topic)
        or _defined(ctx, topic)
        or _centre(ctx, topic)
        or _internal(ctx, topic)
    )
    found = [opening, _data(ctx, topic), _doors(ctx, topic)]
    told = " ".join(sentence for sentence in found if sentence)
    return [told] if told else _held(ctx, topic.files)


def _modules(ctx: PageContext, topic: Topic) -> str:
    """Return a sentence on the largest files, where most say what they are for."""
    code = [f for f in topic.files if ctx.analysis.roles[f.id] == "code"]
    large = sorted(code, key=lambda f: (bool(_HIDDEN.match(f.name)), -f.lines, f.path))
    large = [f for f in large if f.lines > 1][:_TOP_FILES]
    said = {file.id: _purpose_in_brief(ctx, file) for file in large}
    if len(large) < _FEWEST_MODULES or 3 * sum(map(bool, said.values())) < 2 * len(
        large
    ):
        return ""
    shown = [f"{ctx.path(file)}{said[file.id]}" for file in large]
    told = phrase("The main files of {topic} are {names}.")
    title = ctx.topic_title(ctx.analysis.topics.index(topic))
    return ctx.say(told, topic=title, names=ctx.listed(shown))


def _purpose_in_brief(ctx: PageContext, file: SurveyFile) -> str:
    """Return what a file says of itself in parentheses, '' where that is long."""
    purpose = ctx.analysis.purpose(file)
    if purpose is None:
        return ""
    said = first_sentence(purpose.text, ctx.analysis.names).rstrip(".。")
    if not _is_brief(said) or only_names(said, file.stem):
        return ""
    marker = ctx.book.cite(file.id, purpose.start_line, purpose.end_line)
    return ctx.wording.aside(said) + marker


def _is_brief(said: str) -> bool:
    """Return whether a sentence can stand in brackets: short, and no notice."""
    is_short = 0 < len(said) <= _LONGEST_PURPOSE
    return is_short and not _NOTICE.search(_CODE_SPAN.sub("", said))


def _family(ctx: PageContext, topic: Topic) -> str:
    """Many folders side by side that look alike are best told as a family."""
    folders: dict[str, list[SurveyFile]] = defaultdict(list)
    for file in topic.files:
        inside = topic.inside(file).split("/")
        if len(inside) == 2 and ctx.analysis.roles[file.id] == "code":
            folders[inside[0]].append(file)
    folders = {
        name: held
        for name, held in folders.items()
        if any(file.name != "__init__.py" for file in held)
    }
    if len(folders) < _FAMILY_FROM:
        return ""
    held = Counter(file.name for files in folders.values() for file in files)
    often = [
        name
        for name, count in sorted(held.items(), key=lambda h: (-h[1], h[0]))[:4]
        if count * 2 >= len(folders) and name != "__init__.py"
    ]
    usual = often[0] if often else ""
    order = sorted(folders)
    names = ctx.listed_cited(
        [ctx.code(name) for name in order],
        lambda n: ctx.cite_file(_usual_file(folders[order[n]], usual)),
        _NAMES_SHOWN,
    )
    told = (
        phrase("It is a family of packages, many of them with {usual}: {names}.")
        if usual
        else phrase("It is a family of packages: {names}.")
    )
    return ctx.say(told, names=names, usual=f"`{usual}`")


def _usual_file(files: Sequence[SurveyFile], usual: str) -> SurveyFile:
    return next((file for file in files if file.name == usual), files[0])


def _centre(ctx: PageContext, topic: Topic) -> str:
    symbol = centre_of(ctx, topic)
    if symbol is not None and (text := ctx.symbol_purpose(symbol)):
        return f"{ctx.symbol_name(symbol)}: {text}"
    for file in ctx.by_rank(topic.files)[:_TOP_FILES]:
        if text := ctx.file_purpose(file):
            return f"{ctx.path(file)}: {text}"
    return ""


def centre_of(ctx: PageContext, topic: Topic) -> SurveySymbol | None:
    """Return the documented class that the part is named after, or its weightiest."""
    classes = [s for s in ctx.defined_in(topic) if s.kind == "class"]
    classes = [s for s in classes if s.id not in ctx.analysis.exceptions]
    if not classes:
        return None
    stems = {topic.title.rpartition("/")[2].lower().replace("_", "")}
    stems |= {file.stem.lower().replace("_", "") for file in topic.files[:1]}
    namesakes = [s for s in classes if s.name.lower().rstrip("s") in _singular(stems)]
    return max(namesakes or classes, key=lambda s: (weight(ctx, s), -s.id))


def _singular(names: Iterable[str]) -> set[str]:
    return {name.rstrip("s") for name in names}


def weight(ctx: PageContext, symbol: SurveySymbol) -> float:
    """Return how much a symbol matters: how used it is, and how much it holds."""
    lines = symbol.end_line - symbol.start_line + 2
    return ctx.analysis.symbol_rank[symbol.id] * math.log2(lines)


def _data(ctx: PageContext, topic: Topic) -> str:
    own = {file.id for file in topic.files}
    models = [fact for fact in ctx.analysis.facts("model") if fact.file in own]
    if not models:
        return ""
    names = ctx.listed_cited(
        [ctx.code(fact.name) for fact in models],
        lambda n: _cite_fact(ctx, models[n]),
        _NAMES_SHOWN,
    )
    frameworks = {str(fact.data.get("framework") or "") for fact in models}
    told = phrase("It keeps {names}.")
    if frameworks & _PASSED_ON:
        told = phrase("It describes {names}.")
    return ctx.say(told, names=names)


def _cite_fact(ctx: PageContext, fact: SurveyFact) -> str:
    return ctx.book.cite(fact.file, fact.start_line, fact.start_line + 1)


def _doors(ctx: PageContext, topic: Topic) -> str:
    own = {file.id for file in topic.files}
    facts = [
        fact
        for fact in ctx.analysis.facts("route", "command", "task")
        if fact.file in own and not is_of_build(fact)
    ]
    if not facts:
        return ""
    is_shown = len(facts) <= _FACTS_CITED
    marker = "".join(_cite_fact(ctx, f) for f in facts) if is_shown else ""
    told = phrase("From outside it is reached by {entry_points}.")
    reached = cited(ctx.say(told, entry_points=counts_of(ctx, facts)), marker)
    return " ".join(filter(None, [reached, _beginnings(ctx, facts)]))


def _beginnings(ctx: PageContext, facts: Iterable[SurveyFact]) -> str:
    """Tell many routes by what most of their paths begin with."""
    under: dict[str, list[SurveyFact]] = defaultdict(list)
    for fact in facts:
        pieces = _SEGMENT.findall(str(fact.data.get("path") or ""))
        if fact.kind == "route" and pieces:
            under[f"/{'/'.join(pieces[: 1 + bool(_API.match(pieces[0]))])}"].append(
                fact
            )
    ranked = sorted(under, key=lambda p: (-len(under[p]), p))
    shown = [
        f"`{path}/…`" + ctx.book.cite(first.file, first.start_line, first.end_line)
        for path in ranked[:_NAMES_SHOWN]
        if len(under[path]) > 1
        for first in under[path][:1]
    ]
    if len(shown) < _FEWEST_BEGINNINGS:
        return ""
    return ctx.say("Among its routes are {paths}.", paths=ctx.listed(shown))


def _defined(ctx: PageContext, topic: Topic) -> str:
    """Return a sentence on the main public definitions, with what they do."""
    main = _main(ctx, topic)
    if not main:
        return ""
    shown = [_with_purpose(ctx, symbol) for symbol in main[:_DEFINED_SHOWN]]
    kinds = {symbol.kind in _CALLED for symbol in main[:_DEFINED_SHOWN]}
    told = _MAIN[kinds.pop()] if len(kinds) == 1 else _MAIN_DEFINITIONS
    if len(main) <= _DEFINED_SHOWN:
        told = phrase("{topic} ({files}) defines {names}.")
    return _on_code(ctx, topic, told, shown)


def _on_code(ctx: PageContext, topic: Topic, told: str, names: Sequence[str]) -> str:
    """Return a sentence on the code of a topic, with the files that hold it."""
    code = [
        f for f in topic.files if ctx.analysis.roles[f.id] == "code" and f.lines > 1
    ]
    files = ctx.counted(len(code), "file")
    if len(code) <= _FILES_NAMED:
        files = ctx.listed([ctx.path(f) for f in ctx.by_rank(code)])
    # The title of its page may have a file for an addition; the files are told here.
    title = topic.title if topic.is_given else ctx.wording.title_of_topic(topic.title)
    return ctx.say(told, topic=title, files=files, names=ctx.listed(names))


def _main(ctx: PageContext, topic: Topic) -> list[SurveySymbol]:
    """Return the public definitions, those that say something before the others."""
    exposed = [
        s
        for s in central_symbols(ctx.analysis, topic)
        if is_exposed(ctx.analysis, s)
        and ctx.is_top_level(s)
        and s.id not in ctx.analysis.exceptions
    ]
    offered = [s for s in exposed if not is_left_out(ctx.analysis, s)]
    exposed = offered or exposed
    told = [s for s in exposed if not _INTERNAL.match(ctx.said_first(s))]
    told.sort(key=lambda s: not ctx.said_first(s))
    main = told or exposed or _added(ctx, topic) or ctx.defined_in(topic)
    return list({s.name: s for s in reversed(main)}.values())[::-1]


def _added(ctx: PageContext, topic: Topic) -> list[SurveySymbol]:
    """Return the described methods that a topic adds to types of other topics."""
    rank = ctx.analysis.symbol_rank
    found = [
        symbol
        for file in topic.files
        if ctx.analysis.roles[file.id] == "code"
        for symbol in ctx.analysis.symbols_of.get(file.id, [])
        if symbol.kind == "method" and "." in symbol.qualified_name
        if symbol.is_public and is_exposed(ctx.analysis, symbol)
        if ctx.said_first(symbol)
    ]
    return sorted(found, key=lambda s: (-rank[s.id], s.id))


def main_definitions(ctx: PageContext, index: int) -> list[str]:
    """Return the main definitions as a list, where the page begins with facts alone."""
    topic = ctx.analysis.topics[index]
    is_told = lead_of(ctx.analysis, index) or _family(ctx, topic)
    if is_told or _modules(ctx, topic) or not introduce(ctx, topic):
        return []
    main = _main(ctx, topic)[:_DEFINED_SHOWN]
    kinds = {symbol.kind in _CALLED for symbol in main}
    told = _LISTED[kinds.pop()] if len(kinds) == 1 else phrase("Its main definitions:")
    items = [f"- {ctx.symbol_name(s)}{_said_of(ctx, s)}" for s in main]
    return [ctx.say(told), "\n".join(items)] if len(items) > 1 else []


def _said_of(ctx: PageContext, symbol: SurveySymbol) -> str:
    said = ctx.symbol_purpose(symbol)
    return f": {said}" if said else ctx.cite_symbol(symbol)


def _with_purpose(ctx: PageContext, symbol: SurveySymbol) -> str:
    """Return a definition with what it does or is, where that is short."""
    purpose = purpose_in_brief(ctx, symbol)
    return f"{ctx.symbol_name(symbol)}{purpose}{ctx.cite_symbol(symbol)}"


def _internal(ctx: PageContext, topic: Topic) -> str:
    """Return a sentence on what a topic without public definitions explains."""
    rank = ctx.analysis.symbol_rank
    said = [
        symbol
        for file in topic.files
        if ctx.analysis.roles[file.id] == "code"
        for symbol in ctx.defined_at(file)
        if ctx.said_first(symbol) and symbol.id not in ctx.analysis.exceptions
    ]
    said.sort(key=lambda s: (-rank[s.id], s.id))
    shown = [_with_purpose(ctx, symbol) for symbol in said[:_DEFINED_SHOWN]]
    told = phrase("The definitions of {topic} ({files}) are internal: {names}.")
    return _on_code(ctx, topic, told, shown) if shown else ""


def purpose_in_brief(ctx: PageContext, symbol: SurveySymbol) -> str:
    """Return what a definition does or is, in brackets; '' if it is long."""
    said = without_name(ctx.said_first(symbol).rstrip(".。"), symbol.name)
    return ctx.wording.aside(said) if _is_brief(said) else ""


def _held(ctx: PageContext, files: Iterable[SurveyFile]) -> list[str]:
    held = [file for file in files if file.lines > 1]
    if not held:
        return []
    names = ctx.listed_cited(
        [ctx.path(file) for file in held],
        lambda n: ctx.cite_file(held[n]),
        _NAMES_SHOWN,
    )
    return [ctx.say("It holds {names}.", names=names)]
