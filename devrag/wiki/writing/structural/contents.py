"""What is in a part: its files in a sentence each, its leading definitions in a table.

A definition leads when code elsewhere leans on it; methods stand beside their class.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from devrag.wiki.analysis.calls import ResolvedUse
from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.mentions import first_of, first_paragraphs
from devrag.wiki.writing.structural.summaries import front_file
from devrag.wiki.writing.structural.tables import table
from devrag.wiki.writing.structural.topic_summary import weight

_ROLES = {"code", "doc", "config", "build"}
_OWNERS = {"class", "interface", "enum", "type"}
_FILES_SHOWN = 14
_DEFINED_SHOWN = 4
_NAMES_SHOWN = 6
_DOCUMENTED = 8
_ROWS = 28
_USERS_SHOWN = 2


def contents_of(ctx: PageContext, index: int) -> list[str]:
    """Return the sections on the part's files and definitions."""
    topic = ctx.analysis.topics[index]
    members = _told_of(ctx, index)
    files = _files(ctx, topic, set(members)) if len(topic.files) > 1 else []
    return [*files, *_definitions(ctx, index, members)]


def _files(ctx: PageContext, topic: Topic, explained: set[int]) -> list[str]:
    front = front_file(ctx, topic)
    items: list[str] = []
    plain: list[SurveyFile] = []
    for file in ctx.by_rank(topic.files):
        if ctx.analysis.roles[file.id] not in _ROLES or file is front:
            continue
        text = _told(ctx, topic, file, explained) if len(items) < _FILES_SHOWN else ""
        if text:
            items.append(f"- {text}")
        elif file.lines > 1:
            plain.append(file)
    blocks = [ctx.say("## What is in it"), "\n".join(items)] if items else []
    return [*blocks, *_rest(ctx, topic, plain)]


def _told(ctx: PageContext, topic: Topic, file: SurveyFile, explained: set[int]) -> str:
    """Return what a file says of itself, else what it defines and what that is for.

    explained: definitions whose words stand elsewhere on the page.
    """
    name = f"**{_local(ctx, topic, file)}**"
    if said := _said_of(ctx, file):
        return f"{name}: {said}"
    own = [s for s in ctx.defined_at(file) if s.is_public] or ctx.defined_at(file)
    own.sort(key=lambda s: (-weight(ctx, s), s.start_line))
    shown = [ctx.symbol_name(s) + ctx.cite_symbol(s) for s in own[:_DEFINED_SHOWN]]
    if not shown:
        return ""
    names = ctx.listed(shown, len(own) - len(shown))
    told = ctx.say("{file} defines {names}.", file=name, names=names)
    is_open = own[0].kind in _OWNERS and own[0].id not in explained
    return f"{told} {ctx.symbol_purpose(own[0])}".rstrip() if is_open else told


def _said_of(ctx: PageContext, file: SurveyFile) -> str:
    if ctx.analysis.roles[file.id] != "doc":
        return ctx.file_purpose(file)
    paragraphs = first_paragraphs(ctx, file, 1)
    return first_of(paragraphs[0]) if paragraphs else ""


def _local(ctx: PageContext, topic: Topic, file: SurveyFile) -> str:
    inside = topic.inside(file)
    return ctx.code(inside) if ctx.analysis.names.knows(inside) else ctx.path(file)


def _rest(ctx: PageContext, topic: Topic, plain: list[SurveyFile]) -> list[str]:
    if not plain:
        return []
    names = [
        _local(ctx, topic, file) + ctx.cite_file(file) for file in plain[:_NAMES_SHOWN]
    ]
    listed = ctx.listed(names, len(plain) - len(names))
    return [ctx.say("Beside these there are {names}.", names=listed)]


def _told_of(ctx: PageContext, index: int) -> dict[int, list[SurveySymbol]]:
    """Return the definitions that have a row, each with its leading members."""
    members = _leading_of(ctx, index)
    documented = [s for s in ctx.defined_in(ctx.analysis.topics[index]) if s.docstring]
    documented.sort(key=lambda s: (-weight(ctx, s), s.id))
    owners = {*members, *(s.id for s in documented[:_DOCUMENTED])}
    return {s.id: members.get(s.id, []) for s in _by_rank(ctx, owners)[:_ROWS]}


def _definitions(
    ctx: PageContext, index: int, members: dict[int, list[SurveySymbol]]
) -> list[str]:
    told = members.items()
    rows = [
        [
            _named(ctx, symbol, inside),
            ctx.symbol_purpose(symbol) or ctx.signature(symbol),
            _users(ctx, index, symbol, inside),
        ]
        for symbol, inside in ((ctx.analysis.symbols[i], own) for i, own in told)
    ]
    head = [ctx.say("Definition"), ctx.say("What it is"), ctx.say("Used by")]
    title = ctx.say("## Its main definitions")
    return [title, *table(head, rows)] if rows else []


def _by_rank(ctx: PageContext, ids: Iterable[int]) -> list[SurveySymbol]:
    rank = ctx.analysis.symbol_rank
    return [ctx.analysis.symbols[i] for i in sorted(ids, key=lambda i: (-rank[i], i))]


def _leading_of(ctx: PageContext, index: int) -> dict[int, list[SurveySymbol]]:
    """Return the part's leading definitions, each with its leading members."""
    found: dict[int, list[SurveySymbol]] = defaultdict(list)
    types = _types(ctx, index)
    for symbol in ctx.analysis.leading:
        if ctx.analysis.topic_of.get(symbol.file) != index:
            continue
        owner = types.get(_type_of(ctx, symbol)) if symbol.kind == "method" else None
        if owner is not None:
            found[owner].append(symbol)
        else:
            found.setdefault(symbol.id, [])
    return found


def _types(ctx: PageContext, index: int) -> dict[tuple[str, str], int]:
    """Return the part's types by folder and name: methods may be in other files."""
    return {
        (ctx.analysis.files[symbol.file].directory, symbol.qualified_name): symbol.id
        for file in ctx.analysis.topics[index].files
        for symbol in ctx.analysis.symbols_of.get(file.id, [])
        if symbol.kind in _OWNERS
    }


def _type_of(ctx: PageContext, method: SurveySymbol) -> tuple[str, str]:
    folder = ctx.analysis.files[method.file].directory
    return folder, method.qualified_name.rpartition(".")[0]


def _named(
    ctx: PageContext, symbol: SurveySymbol, members: Iterable[SurveySymbol]
) -> str:
    head = ctx.symbol_name(symbol) + ctx.cite_symbol(symbol)
    inside = [f"`{m.name}()`{ctx.cite_symbol(m)}" for m in members]
    if not inside:
        return head
    return ctx.say("{name} with {members}", name=head, members=ctx.listed(inside))


def _users(
    ctx: PageContext, index: int, symbol: SurveySymbol, members: list[SurveySymbol]
) -> str:
    """Return the parts that use a definition most, or its own part's file."""
    uses = [u for s in (symbol, *members) for u in ctx.analysis.uses_of.get(s.id, [])]
    by_topic: dict[int, list[ResolvedUse]] = defaultdict(list)
    for use in uses:
        home = ctx.analysis.topic_of.get(use.file)
        if home is not None:
            by_topic[home].append(use)
    others = sorted(
        (p for p in by_topic if p != index), key=lambda p: (-len(by_topic[p]), p)
    )
    shown = [ctx.topic(p) + _at(ctx, by_topic[p]) for p in others[:_USERS_SHOWN]]
    if not shown and index in by_topic:
        files = dict.fromkeys(use.file for use in by_topic[index])
        first = ctx.analysis.files[next(iter(files))]
        shown = [ctx.path(first) + _at(ctx, by_topic[index])]
        return ctx.listed(shown, len(files) - 1)
    return ctx.listed(shown, len(others) - len(shown))


def _at(ctx: PageContext, uses: list[ResolvedUse]) -> str:
    first = uses[0]
    return ctx.book.cite(first.file, first.line, first.line)
