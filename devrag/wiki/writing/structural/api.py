"""The page on what a library offers: its exports by topic, with their parameters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from devrag.wiki.analysis.docstrings import parameter_names, parameters_of
from devrag.wiki.analysis.exports import Export, exports_of
from devrag.wiki.analysis.product_form import mentions_in_code
from devrag.wiki.analysis.prose import cited, first_sentence, only_names, opening
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.planning.page_kind import Places
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.tables import table

_TOLD, _TOLD_PER_TOPIC = 26, 4
_ROWS = 14
_METHODS, _PARAMETERS = 10, 14
_LONGEST_SIGNATURE = 420
_EXCEPTIONS_SHOWN = 30
_CONSTRUCTORS = {"__init__", "constructor"}
_NOUNS = {"class": "class", "interface": "interface", "function": "function"}
_MORE = phrase("{topic} has {count} more; its page tells them.")


def write_api(ctx: PageContext) -> list[str]:
    """Return the page's blocks: each topic's most used exports in full."""
    exports = _once(exports_of(ctx.analysis))
    errors = [e for e in exports if e.symbol.id in ctx.analysis.exceptions]
    others = [e for e in exports if e.symbol.id not in ctx.analysis.exceptions]
    groups: dict[int, list[Export]] = defaultdict(list)
    for export in _by_weight(ctx, others):
        groups[ctx.analysis.topic_of.get(export.symbol.file, -1)].append(export)
    told = _chosen(groups)
    blocks = [f"# {ctx.page.title}", _opening(ctx, exports)]
    for topic in sorted(groups, key=lambda t: (-_weight_of(ctx, groups[t]), t)):
        blocks += _topic(ctx, topic, groups[topic], told)
    return [*blocks, *_errors(ctx, errors)]


def count_exports(ctx: PageContext) -> Places:
    """Return how many names there are for the summary."""
    count = len(_once(exports_of(ctx.analysis)))
    return {"found": ctx.counted(count, "exported name")}


def _once(exports: Iterable[Export]) -> list[Export]:
    """Return one export a name: overloads and parts of a class share theirs."""
    found: dict[tuple[str, str], Export] = {}
    for export in exports:
        key = export.symbol.qualified_name, export.symbol.kind
        known = found.get(key)
        if known is None or (export.symbol.docstring and not known.symbol.docstring):
            found[key] = export
    return list(found.values())


def _opening(ctx: PageContext, exports: Sequence[Export]) -> str:
    kinds: dict[str, int] = defaultdict(int)
    for export in exports:
        kinds[_NOUNS.get(export.symbol.kind, "type")] += 1
    told = ctx.say(
        "Code that uses {product} is offered {names}, here by topic; those that "
        "the documentation and other code use most come first.",
        product=ctx.code(ctx.analysis.title),
        names=ctx.listed([ctx.counted(n, noun) for noun, n in sorted(kinds.items())]),
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
    shown = mentions_in_code(ctx.analysis)[export.name]
    rank = ctx.analysis.symbol_rank[export.symbol.id]
    return 3.0 * min(shown, 12) + 400.0 * rank + bool(export.symbol.docstring)


def _weight_of(ctx: PageContext, exports: Sequence[Export]) -> float:
    return sum(_weight(ctx, export) for export in exports[:_TOLD_PER_TOPIC])


def _chosen(groups: dict[int, list[Export]]) -> set[int]:
    """Return the symbols told in full: in turn the first of each topic, the next …"""
    chosen: list[int] = []
    for place in range(_TOLD_PER_TOPIC):
        for exports in groups.values():
            if len(exports) > place and exports[place].symbol.docstring:
                chosen.append(exports[place].symbol.id)
    return set(chosen[:_TOLD])


def _topic(
    ctx: PageContext, topic: int, exports: Sequence[Export], told: set[int]
) -> list[str]:
    title = ctx.topic_title(topic) if topic >= 0 else ctx.say("Outside the parts")
    blocks = [f"## {title}"]
    if topic >= 0:
        blocks.append(ctx.say("More on this: {link}.", link=ctx.topic(topic)))
    for export in exports:
        if export.symbol.id in told:
            blocks += _in_full(ctx, export)
    rest = [e for e in exports if e.symbol.id not in told]
    rows = [_row(ctx, export) for export in rest[:_ROWS]]
    blocks += table([ctx.say("Name"), ctx.say("What it is")], rows)
    if len(rest) > _ROWS and topic >= 0:
        left = len(rest) - _ROWS
        blocks.append(ctx.say(_MORE, topic=ctx.topic(topic), count=left))
    return blocks


def _row(ctx: PageContext, export: Export) -> list[str]:
    symbol = export.symbol
    name = f"`{export.name}{'()' if symbol.kind == 'function' else ''}`"
    said = first_sentence(symbol.docstring, ctx.analysis.names)
    if only_names(said, symbol.name):
        said = ""
    return [name + ctx.cite_symbol(symbol), said or ctx.signature(symbol)]


def _in_full(ctx: PageContext, export: Export) -> list[str]:
    """Return heading, signature, description, parameters and methods of an export."""
    symbol = export.symbol
    maker = _constructor(ctx, symbol)
    marker = ctx.cite_symbol(symbol)
    name = f"{export.name}{'()' if symbol.kind == 'function' else ''}"
    said = opening(symbol.docstring, ctx.analysis.names)
    text = " ".join(cited(sentence, marker) for sentence in said)
    return [
        f"### `{name}`",
        *_declared(ctx, symbol, maker),
        text,
        *_parameters(ctx, symbol, maker),
        *_methods(ctx, symbol),
    ]


def _declared(
    ctx: PageContext, symbol: SurveySymbol, maker: SurveySymbol | None
) -> list[str]:
    """Return the declaration as a code block; a class with its constructor's."""
    lines = [" ".join(symbol.signature.split())]
    if maker is not None:
        lines.append("    " + " ".join(maker.signature.split()))
    kept = [line for line in lines if line and len(line) <= _LONGEST_SIGNATURE]
    language = ctx.analysis.files[symbol.file].language
    return [f"```{language}\n" + "\n".join(kept) + "\n```"] if kept else []


def _constructor(ctx: PageContext, symbol: SurveySymbol) -> SurveySymbol | None:
    if symbol.kind != "class":
        return None
    names = {*_CONSTRUCTORS, symbol.name}
    own = ctx.analysis.members_of.get(symbol.id, ())
    return next((s for s in own if s.kind == "method" and s.name in names), None)


def _parameters(
    ctx: PageContext, symbol: SurveySymbol, maker: SurveySymbol | None
) -> list[str]:
    rows = []
    for each in filter(None, (symbol, maker)):
        names = parameter_names((maker or symbol).signature)
        for name, text in parameters_of(each.docstring, names).items():
            said = first_sentence(text, ctx.analysis.names)
            if said:
                rows.append([f"`{name}`", said + ctx.cite_symbol(each)])
    head = [ctx.say("Parameter"), ctx.say("What it is")]
    return table(head, rows[:_PARAMETERS])


def _methods(ctx: PageContext, symbol: SurveySymbol) -> list[str]:
    """Return the documented public methods of a class."""
    rows, seen = [], {symbol.name}
    for method in ctx.analysis.members_of.get(symbol.id, ()):
        is_told = method.kind == "method" and method.is_public and method.docstring
        said = first_sentence(method.docstring, ctx.analysis.names) if is_told else ""
        if said and method.name not in seen and len(rows) < _METHODS:
            seen.add(method.name)
            rows.append([f"`{method.name}()`", said + ctx.cite_symbol(method)])
    return table([ctx.say("Method"), ctx.say("What it does")], rows)


def _errors(ctx: PageContext, errors: Sequence[Export]) -> list[str]:
    rows = [_row(ctx, export) for export in errors[:_EXCEPTIONS_SHOWN]]
    head = [ctx.say("Name"), ctx.say("What it is")]
    return [ctx.say("## Errors"), *table(head, rows)] if rows else []
