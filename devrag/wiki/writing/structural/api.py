"""The page on what a library offers: its exports by topic, with their parameters."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from textwrap import indent

from devrag.wiki.analysis.docstrings import (
    descriptions_of,
    is_code,
    parameters_of,
    read_docstring,
)
from devrag.wiki.analysis.exports import Export, distinct_exports, repeated_names
from devrag.wiki.analysis.product_form import mentions_in_code
from devrag.wiki.analysis.prose import cited, first_sentence, only_names, opening
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.analysis.visibility import is_exposed
from devrag.wiki.evidence.blocks import fenced
from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.planning.page_kind import Places
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.length import count_words
from devrag.wiki.writing.structural.tables import table

_TOLD_PER_TOPIC = 4
_LONGEST_PAGE = 1450  # words without the opening and the errors
# How many exports are told in full, and rows of a topic for others; until it is short.
_LIMITS = ((26, 14), (20, 12), (14, 10), (10, 8), (6, 6))
_METHODS, _PARAMETERS = 10, 14
_LONGEST_SIGNATURE, _LONGEST_LINE = 1500, 88
_EXCEPTIONS_SHOWN = 30
_CONSTRUCTORS = {"__init__", "constructor"}
_OF_PARAMETERS = (phrase("Parameter"), phrase("What it is"))
_OF_METHODS = (phrase("Method"), phrase("What it does"))
_TWINS = 3  # rows that stand below another export
_MORE = phrase("{topic} has {count} more.")


# A name, what it is or does, and the marker of its lines.
Row = tuple[str, str, str]


def write_api(ctx: PageContext) -> list[str]:
    """Return the page's blocks: each topic's most used exports in full."""
    exports = distinct_exports(ctx.analysis)
    errors = [e for e in exports if e.symbol.id in ctx.analysis.exceptions]
    others = [e for e in exports if e.symbol.id not in ctx.analysis.exceptions]
    groups: dict[int, list[Export]] = defaultdict(list)
    for export in _by_weight(ctx, others):
        groups[ctx.analysis.topic_of.get(export.symbol.file, -1)].append(export)
    trial = replace(ctx, book=EvidenceBook(ctx.analysis.files, ctx.analysis.texts))
    told, rows = next(
        (limits for limits in _LIMITS if _is_short(trial, groups, limits)), _LIMITS[-1]
    )
    blocks = [f"# {ctx.page.title}", _opening(ctx, exports)]
    blocks += _by_topic(ctx, groups, told, rows)
    return [*blocks, *_errors(ctx, errors)]


def _is_short(
    ctx: PageContext, groups: dict[int, list[Export]], limits: tuple[int, int]
) -> bool:
    return count_words(_by_topic(ctx, groups, *limits)) <= _LONGEST_PAGE


def _by_topic(
    ctx: PageContext, groups: dict[int, list[Export]], told: int, rows: int
) -> list[str]:
    """Return a section a topic: so many exports in full in all, rows for others."""
    chosen = _chosen(groups, told)
    topics = sorted(groups, key=lambda t: (-_weight_of(ctx, groups[t]), t))
    shown: dict[tuple[str, str], str] = {}
    blocks = (
        _topic(ctx, topic, groups[topic], chosen, rows, shown) for topic in topics
    )
    return [block for each in blocks for block in each]


def count_exports(ctx: PageContext) -> Places:
    """Return how many names there are for the summary."""
    count = len(distinct_exports(ctx.analysis))
    return {"found": ctx.counted(count, "exported name")}


def _opening(ctx: PageContext, exports: Sequence[Export]) -> str:
    told = ctx.say(
        "Code that uses {product} can import {names}, grouped by topic below with the "
        "most used first.",
        product=ctx.code(ctx.analysis.title),
        names=ctx.counted(len(exports), "exported name"),
    )
    fronts = {e.file: e.line for e in exports if e.file != e.symbol.file}
    if len(fronts) != 1:
        return told
    file, line = next(iter(fronts.items()))
    where = ctx.say(
        "They are exported by {path}.", path=ctx.path(ctx.analysis.files[file])
    )
    return f"{told} {cited(where, ctx.book.cite(file, line, line))}"


def _by_weight(ctx: PageContext, exports: Sequence[Export]) -> list[Export]:
    return sorted(exports, key=lambda e: (-_weight(ctx, e), e.symbol.id))


def _weight(ctx: PageContext, export: Export) -> float:
    """Return how much an export matters: in examples, to other code, documented."""
    symbol = export.symbol
    return _use(ctx, export.name, symbol) + bool(symbol.docstring)


def _use(ctx: PageContext, name: str, symbol: SurveySymbol) -> float:
    """Return how much documents, and less so other code, use a symbol."""
    shown = mentions_in_code(ctx.analysis)[name]
    rank = ctx.analysis.symbol_rank[symbol.id] * len(ctx.analysis.symbols)
    return 3.0 * math.log1p(shown) + math.log1p(rank)


def _weight_of(ctx: PageContext, exports: Sequence[Export]) -> float:
    return sum(_weight(ctx, export) for export in exports[:_TOLD_PER_TOPIC])


def _chosen(groups: dict[int, list[Export]], most: int) -> set[int]:
    """Return the symbols told in full: in turn the first of each topic, the next …"""
    chosen = [
        exports[place].symbol.id
        for place in range(_TOLD_PER_TOPIC)
        for exports in groups.values()
        if len(exports) > place and exports[place].symbol.docstring
    ]
    return set(chosen[:most])


def _topic(
    ctx: PageContext,
    topic: int,
    exports: Sequence[Export],
    told: set[int],
    most_rows: int,
    shown: dict[tuple[str, str], str],
) -> list[str]:
    title = ctx.topic_title(topic) if topic >= 0 else ctx.say("Files without a topic")
    blocks = [f"## {title}"]
    if topic >= 0:
        blocks.append(ctx.say("More on this: {link}.", link=ctx.topic(topic)))
    for export in exports:
        if export.symbol.id in told:
            blocks += _in_full(ctx, export, shown)
    rest = [e for e in exports if e.symbol.id not in told]
    rows = [_row(ctx, export) for export in rest[:most_rows]]
    blocks += table([ctx.say("Name"), ctx.say("What it is")], rows)
    if len(rest) > most_rows and topic >= 0:
        left = len(rest) - most_rows
        blocks.append(ctx.say(_MORE, topic=ctx.topic(topic), count=left))
    return blocks


def _row(ctx: PageContext, export: Export) -> list[str]:
    symbol = export.symbol
    name = f"`{_called(ctx, export)}`"
    said = ctx.said_beside_name(symbol)
    if only_names(said, symbol.name):
        said = ""
    return [name + ctx.cite_symbol(symbol), said or ctx.signature(symbol)]


def _called(ctx: PageContext, export: Export) -> str:
    """Return an export's name, after its package where another has the same name."""
    package = ctx.analysis.files[export.symbol.file].module
    is_repeated = export.name in repeated_names(ctx.analysis)
    name = f"{package}.{export.name}" if is_repeated and package else export.name
    return f"{name}()" if export.symbol.kind == "function" else name


def _in_full(
    ctx: PageContext, export: Export, shown: dict[tuple[str, str], str]
) -> list[str]:
    """Return heading, signature, description, parameters and methods of an export."""
    symbol = export.symbol
    maker = _constructor(ctx, symbol)
    marker = ctx.cite_symbol(symbol)
    is_prose = not is_code(symbol.docstring)
    body = read_docstring(symbol.docstring, parameters_of(symbol.signature)).body
    said = opening(body, ctx.analysis.names) if is_prose else []
    text = " ".join(cited(sentence, marker) for sentence in said)
    called = f"`{_called(ctx, export)}`"
    return [
        f"### {called}",
        *_declared(ctx, symbol, maker),
        text,
        *_untold_rows(
            ctx, called, _parameters(ctx, symbol, maker), _OF_PARAMETERS, shown
        ),
        *_untold_rows(ctx, called, _methods(ctx, symbol), _OF_METHODS, shown),
    ]


def _untold_rows(
    ctx: PageContext,
    called: str,
    rows: Sequence[Row],
    head: tuple[str, str],
    shown: dict[tuple[str, str], str],
) -> list[str]:
    """Return a table; many rows that stand below another export are named by it."""
    twins: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row[:2] in shown:
            twins[shown[row[:2]]].append(row)
    known = {
        row: name for name, same in twins.items() if len(same) >= _TWINS for row in same
    }
    for row in rows:
        shown.setdefault(row[:2], called)
    new = [
        [name, said + marker]
        for name, said, marker in rows
        if (name, said, marker) not in known
    ]
    blocks = table([ctx.say(column) for column in head], new)
    for other in dict.fromkeys(known.values()):
        same = [row for row in rows if known.get(row) == other]
        told = ctx.say(
            "{names} have the same descriptions as those of {other}.",
            names=ctx.listed([name for name, _, _ in same]),
            other=other,
        )
        blocks.append(cited(told, same[0][2]))
    return blocks


def _declared(
    ctx: PageContext, symbol: SurveySymbol, maker: SurveySymbol | None
) -> list[str]:
    """Return the declaration as a code block; a class with its constructor's."""
    lines = [laid_out(symbol.signature)]
    if maker is not None:
        lines.append(indent(laid_out(maker.signature), "    "))
    kept = [line for line in lines if line and len(line) <= _LONGEST_SIGNATURE]
    language = ctx.analysis.files[symbol.file].language
    return [fenced("\n".join(kept), language)] if kept else []


def laid_out(signature: str) -> str:
    """Return a signature on one line, a long one with a line for each parameter."""
    text = " ".join(signature.split())
    begin, end = text.find("("), text.rfind(")")
    if len(text) <= _LONGEST_LINE or not 0 <= begin < end:
        return text
    pieces, depth, start = [], 0, begin + 1
    for at in range(begin + 1, end):
        depth += (text[at] in "([{<") - (text[at] in ")]}>" and text[at - 1] != "-")
        if text[at] == "," and depth <= 0:
            pieces.append(text[start:at].strip())
            start = at + 1
    pieces.append(text[start:end].strip())
    inside = "".join(f"    {piece},\n" for piece in pieces if piece)
    return f"{text[: begin + 1]}\n{inside}{text[end:]}"


def _constructor(ctx: PageContext, symbol: SurveySymbol) -> SurveySymbol | None:
    if symbol.kind != "class":
        return None
    names = {*_CONSTRUCTORS, symbol.name}
    own = ctx.analysis.members_of.get(symbol.id, ())
    return next((s for s in own if s.kind == "method" and s.name in names), None)


def _parameters(
    ctx: PageContext, symbol: SurveySymbol, maker: SurveySymbol | None
) -> list[Row]:
    rows: list[Row] = []
    for each in filter(None, (symbol, maker)):
        names = parameters_of((maker or symbol).signature)
        for name, text in descriptions_of(each.docstring, names).items():
            said = first_sentence(text, ctx.analysis.names)
            said = said[:1].upper() + said[1:]
            if said:
                rows.append((f"`{name}`", said, ctx.cite_symbol(each)))
    return rows[:_PARAMETERS]


def _methods(ctx: PageContext, symbol: SurveySymbol) -> list[Row]:
    """Return the documented public methods of a class, the most used in its order."""
    found: dict[str, tuple[SurveySymbol, str]] = {}
    for method in ctx.analysis.members_of.get(symbol.id, ()):
        is_told = method.kind == "method" and is_exposed(ctx.analysis, method)
        said = ctx.said_beside_name(method) if is_told else ""
        if said and method.name not in {*_CONSTRUCTORS, symbol.name}:
            found.setdefault(method.name, (method, said))
    most = sorted(found, key=lambda n: (-_use(ctx, n, found[n][0]), found[n][0].id))
    return [
        (ctx.own_name(found[n][0]), found[n][1], ctx.cite_symbol(found[n][0]))
        for n in found
        if n in most[:_METHODS]
    ]


def _errors(ctx: PageContext, errors: Sequence[Export]) -> list[str]:
    rows = [_row(ctx, export) for export in errors[:_EXCEPTIONS_SHOWN]]
    head = [ctx.say("Name"), ctx.say("What it is")]
    return [ctx.say("## Errors"), *table(head, rows)] if rows else []
