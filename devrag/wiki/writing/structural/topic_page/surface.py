"""What users of a topic call: exports, types, functions, routes, commands, tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from devrag.wiki.analysis.exports import exports_of, is_left_out
from devrag.wiki.analysis.leads import central_symbols
from devrag.wiki.analysis.overloads import split_parameters
from devrag.wiki.analysis.roles import is_of_build
from devrag.wiki.analysis.script_exports import (
    SCRIPTS,
    documented_parameters,
    names_assigned,
)
from devrag.wiki.analysis.survey import SurveyFact, SurveySymbol
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.analysis.visibility import is_exposed
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.inventory import words_of
from devrag.wiki.writing.structural.tables import table
from devrag.wiki.writing.structural.topic_page.made_names import made_names
from devrag.wiki.writing.structural.topic_page.told import Told

_ROWS = 24
_FACTS = 12
_FEWEST = 2
_FEW = 6  # rows; below them methods stand, too
_MAKERS = {"__init__", "constructor"}
_SILENT = 6  # definitions without words
_LONGEST_CALL = 90
_MODIFIERS = re.compile(
    r"^(?:(?:export|default|async|const|let|function\*?|def|func|public|static|final|virtual"
    r"|override|abstract|internal|protected|private|partial|pub(?:\([^)]*\))?|fn|unsafe|synchronized|sealed|inline|extern)\s+)+"
)
_ARROW = re.compile(r"^(\w+)(?:: [\w.<>\[\]]+)? = (?:async )?(<[^(]*>)?\(")
# `res.send = function send(body)`, `exports.add = async (a, b)`, `exports.id = a`
_FUNCTION_VALUE = re.compile(
    r"= ?(?:async )?"
    r"(?:(?:function ?\*? ?[\w$]* ?)?(?P<listed>\(.*\))|(?P<single>[\w$]+))(?: ?=>)?$"
)
_PARAMETER = re.compile(r"\s*(\*{0,2}\w+|[*/])\s*(?:[:=?]|$)")
# Go writes a type behind its name, or alone.
_GO_PARAMETER = re.compile(r"\s*(?!(?:chan|func|interface|map|struct)\b)(\w+)(?:\s|$)")
_GO_RECEIVER = re.compile(r"^\([^()]*\) (?=\w+\()")
_BASE = re.compile(r"\) : (?:base|this)\(.*$")
_KINDS = {
    "route": phrase("route"),
    "command": phrase("command"),
    "task": phrase("task"),
}


def public_surface(ctx: PageContext, index: int, told: Told) -> list[str]:
    """Return the table of what a topic offers."""
    topic = ctx.analysis.topics[index]
    rows = [
        *_entries(ctx, topic),
        *made_names(ctx, topic),
        *_definitions(ctx, topic, told),
    ]
    if len(rows) < _FEW:
        rows += _methods(ctx, topic)
    rows = rows[:_ROWS]
    if len(rows) < _FEWEST:
        return []
    head = [ctx.say("Name"), ctx.say("Call"), ctx.say("What it does")]
    return [ctx.say("## Public surface"), *table(head, rows)]


def _entries(ctx: PageContext, topic: Topic) -> Iterator[list[str]]:
    own = {file.id for file in topic.files}
    facts = [f for f in ctx.analysis.facts(*_KINDS) if f.file in own]
    seen = set[str]()
    for fact in [f for f in facts if not is_of_build(f)]:
        if fact.name in seen or len(seen) == _FACTS:
            continue
        seen.add(fact.name)
        yield [_name(ctx, fact), ctx.say(_KINDS[fact.kind]), words_of(ctx, fact)]


def _name(ctx: PageContext, fact: SurveyFact) -> str:
    last = min(fact.end_line, fact.start_line + 2)
    return ctx.code(fact.name) + ctx.book.cite(fact.file, fact.start_line, last)


def _definitions(ctx: PageContext, topic: Topic, told: Told) -> Iterator[list[str]]:
    """Yield definitions, those first that say what they do."""
    symbols = [
        s
        for s in central_symbols(ctx.analysis, topic)
        if is_exposed(ctx.analysis, s) and not is_left_out(ctx.analysis, s)
        if s.id not in ctx.analysis.exceptions or len(topic.files) == 1
    ]
    # What the product exports before what only its own modules take.
    exported = {export.symbol.id for export in exports_of(ctx.analysis)}
    symbols.sort(key=lambda s: s.id not in exported)
    rows = [(s, ctx.symbol_purpose(s)) for s in symbols[: 2 * _ROWS]]
    silent = 0
    names = set[str]()
    for symbol, said in sorted(rows, key=lambda r: (r[0].id not in exported, not r[1])):
        silent += not said
        call = _call(ctx, symbol)
        is_shown = said or (call and silent <= _SILENT)
        if is_shown and symbol.name not in names:
            names.add(symbol.name)
            marker = ctx.cite_symbol(symbol) + _cite_maker(ctx, symbol)
            yield [ctx.symbol_name(symbol) + marker, call, said]


def _methods(ctx: PageContext, topic: Topic) -> Iterator[list[str]]:
    """Yield the public methods of a topic whose types do not explain themselves."""
    rank, symbols = ctx.analysis.symbol_rank, ctx.analysis.symbols_of
    own = [
        symbol
        for file in topic.files
        if ctx.analysis.roles[file.id] == "code"
        for symbol in symbols.get(file.id, [])
        if symbol.kind == "method" and is_exposed(ctx.analysis, symbol)
        if not is_left_out(ctx.analysis, symbol)
    ]
    for symbol in sorted(own, key=lambda s: (-rank[s.id], s.id)):
        if symbol.name not in _MAKERS and (call := _call(ctx, symbol)):
            name = ctx.symbol_name(symbol) + ctx.cite_member(symbol)
            yield [name, call, ctx.symbol_purpose(symbol)]


def _cite_maker(ctx: PageContext, symbol: SurveySymbol) -> str:
    """Cite the signature of what makes a type."""
    made = _constructor(ctx.analysis.symbols_of.get(symbol.file, []), symbol)
    lines = ctx.declaration(made).signature if made else (0, 0)
    return ctx.book.cite(made.file, *lines) if made else ""


def _call(ctx: PageContext, symbol: SurveySymbol) -> str:
    """Return the signature, of a type that of what makes it; '' of a property."""
    if symbol.kind in {"function", "method"} and not ctx.is_called(symbol):
        return ""
    language = ctx.analysis.files[symbol.file].language
    if language in SCRIPTS and (calls := _assigned_calls(symbol)):
        return calls
    made = _constructor(ctx.analysis.symbols_of.get(symbol.file, []), symbol)
    text = plain_call(" ".join((made or symbol).signature.split()).replace("`", "'"))
    text = _BASE.sub(")", text.replace("__init__(", f"{symbol.name}(", 1))
    text = text.replace("constructor(", f"{symbol.name}(", 1)
    if len(text) > _LONGEST_CALL:
        text = shortened_call(text, language)
    return f"`{text}`" if "(" in text or "=" in text else ""


def _assigned_calls(symbol: SurveySymbol) -> str:
    """Return how a function that is assigned is called, by each name it has."""
    match = _FUNCTION_VALUE.search(" ".join(symbol.signature.split()))
    if match is None:
        return ""
    parameters = match["listed"] or f"({match['single']})"
    if parameters == "()":  # the code may read `arguments` instead
        parameters = f"({', '.join(documented_parameters(symbol))})"
    calls = [f"{name}{parameters}" for name in names_assigned(symbol)]
    return ", ".join(f"`{call}`" for call in calls if len(call) <= _LONGEST_CALL)


def plain_call(text: str) -> str:
    """Return a signature without the words around its name and parameters."""
    text = _ARROW.sub(r"\1\2(", _MODIFIERS.sub("", text))
    text = _GO_RECEIVER.sub("", text)
    text = text.replace("(self, ", "(").replace("(self)", "()")
    return text.removesuffix(" -> None").removesuffix(": void").rstrip(" {\\")


def shortened_call(text: str, language: str) -> str:
    """Return a long signature with the names of its parameters alone.

    Those that do not fit, or are not written before their type, are left out as `…`.
    """
    parameter = _GO_PARAMETER if language == "go" else _PARAMETER
    head, _, rest = text.partition("(")
    parts = split_parameters(rest, "([{<", ")]}>")
    named = [match for part in parts if (match := parameter.match(part))]
    names = [match[1] for match in named] if len(named) == len(parts) else []
    whole = f"{head}({', '.join(names)})"
    if names and len(whole) <= _LONGEST_CALL:
        return whole
    while names and len(f"{head}({', '.join(names)}, …)") > _LONGEST_CALL:
        names.pop()
    return f"{head}({', '.join([*names, '…'])})" if len(head) < _LONGEST_CALL else ""


def _constructor(
    symbols: Sequence[SurveySymbol], symbol: SurveySymbol
) -> SurveySymbol | None:
    names = {*_MAKERS, symbol.name}
    inside = (s for s in symbols if s.parent == symbol.id and s.kind == "method")
    return next((s for s in inside if s.name in names), None)
