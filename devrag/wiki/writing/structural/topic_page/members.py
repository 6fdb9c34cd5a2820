"""What a type holds: fields, values, methods, variants, and the errors it raises."""

from __future__ import annotations

from collections.abc import Sequence

from devrag.wiki.analysis.declarations import is_abstract
from devrag.wiki.analysis.fields import FieldText, fields_of, is_enumeration
from devrag.wiki.analysis.hierarchies import Subtype, subtypes_of
from devrag.wiki.analysis.inner_comments import (
    inner_comments,
    is_of_arguments,
)
from devrag.wiki.analysis.leads import weight_of
from devrag.wiki.analysis.passages import is_telling
from devrag.wiki.analysis.prose import cited, first_sentence, only_names, told_sentences
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.analysis.visibility import is_exposed
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.quoted_names import names_of_lines
from devrag.wiki.writing.structural.topic_page.told import Told, tell_paragraph

_FIELDS = 14
_VALUES = 16
_METHODS = 8
_VARIANTS = 10
_NAMED = 12  # of those that are not told
_LONG_DEFINITIONS = 2
_FEWEST_COMMENTS = 2
_LEAST_OF_COMMENTS = 30  # words
_COMMENTS = 7
_FEWEST_VARIANTS = 2
_MORE_VARIANTS = 10
_HEIRS = {
    "implement": phrase("Implementations of {name}:"),
    "possible": phrase("Possible implementations of {name}:"),
    "inherit": phrase("Classes that inherit from {name}:"),
    "extend": phrase("Interfaces that extend {name}:"),
    "both": phrase("What extends or implements {name}:"),
}
_NAMED_HEIRS = {
    "implement": phrase("Implementations of {name} are {names}."),
    "possible": phrase("Possible implementations of {name} are {names}."),
    "inherit": phrase("Classes that inherit from {name} are {names}."),
    "extend": phrase("Interfaces that extend {name} are {names}."),
    "both": phrase("{name} is extended or implemented by {names}."),
}
CONSTRUCTORS = frozenset({"__init__", "constructor", "init"})


def told_fields(ctx: PageContext, symbol: SurveySymbol, told: Told) -> list[str]:
    """Return a type's fields that are described, or an enumeration's values."""
    found = fields_of(ctx.analysis, symbol, ctx.book.lines(symbol.file))
    said = [field for field in found if _meaning(ctx, field)]
    if is_enumeration(symbol):
        return _told_values(ctx, symbol, found, said, told)
    if not said:
        return []
    items = [_field(ctx, symbol, field) for field in said[:_FIELDS]]
    told.words += sum(len(item.split()) for item in items)
    name = ctx.symbol_name(symbol)
    title = ctx.say("Fields of {name}:", name=name)
    rest = [field for field in found if field not in said[:_FIELDS]]
    others = ctx.listed_cited(
        [f"`{field.name}`" for field in rest],
        lambda n: ctx.book.cite(symbol.file, rest[n].start_line, rest[n].end_line),
        _NAMED,
    )
    more = ctx.say("Other fields of {name} are {names}.", name=name, names=others)
    return [title, "\n".join(items), *([more] if rest else [])]


def _told_values(
    ctx: PageContext,
    symbol: SurveySymbol,
    found: Sequence[FieldText],
    said: Sequence[FieldText],
    told: Told,
) -> list[str]:
    if not found:
        return []
    if len(said) * 2 > len(found):
        items = [_field(ctx, symbol, field) for field in said[:_VALUES]]
        told.words += sum(len(item.split()) for item in items)
        title = ctx.say("Values of {name}:", name=ctx.symbol_name(symbol))
        return [title, "\n".join(items)]
    names = [f"`{field.name}`" for field in found[:_VALUES]]
    listed = ctx.listed(names, len(found) - len(names))
    marker = ctx.cite_lines(symbol.file, found[0].start_line, found[-1].end_line)
    told.words += len(names)
    return [cited(ctx.say("Its values are {names}.", names=listed), marker)]


def _field(ctx: PageContext, symbol: SurveySymbol, field: FieldText) -> str:
    marker = ctx.book.cite(symbol.file, field.start_line, field.end_line)
    default = field.default.replace("`", "")
    name = f"`{field.name}`"
    if default and not is_enumeration(symbol):
        name = ctx.say("{name} (by default `{default}`)", name=name, default=default)
    return f"- {name}: {cited(_meaning(ctx, field), marker)}"


def _meaning(ctx: PageContext, field: FieldText) -> str:
    said = first_sentence(field.text, ctx.analysis.names)
    if not said or only_names(said, field.name):
        return ""
    return said[0].upper() + said[1:]


def told_methods(ctx: PageContext, symbol: SurveySymbol, told: Told) -> list[str]:
    """Return a type's methods that say what they do, the weightiest first."""
    own = _exposed_methods(ctx, symbol)
    items: list[str] = []
    names = set[str]()
    is_called = True
    for method in (each for each in own if each.docstring):
        said = ctx.said_beside_name(method)
        is_new = said and method.name not in names and not told.knows(said)
        if not is_new or not is_telling(said) or len(items) == _METHODS:
            continue
        names.add(method.name)
        told.add(said)
        told.symbols.add(method.id)
        name = ctx.own_name(method)
        if is_abstract(method, ctx.book.lines(method.file)):
            name = ctx.say("{name} (abstract)", name=name)
        items.append(f"- {name}: {cited(said, ctx.cite_symbol(method))}")
        is_called = is_called and ctx.is_called(method)
    told.words += sum(len(item.split()) for item in items)
    told_as = phrase("Members of {name}:")
    if is_called:
        told_as = phrase("Methods of {name}:")
    title = ctx.say(told_as, name=ctx.symbol_name(symbol))
    rest = [s for s in own if s.name not in names and not s.name.startswith("_")]
    return [title, "\n".join(items), *_others(ctx, symbol, rest)] if items else []


def _exposed_methods(ctx: PageContext, symbol: SurveySymbol) -> list[SurveySymbol]:
    """Return the methods that others may call, the weightiest first."""
    own = [
        s
        for s in ctx.analysis.symbols_of.get(symbol.file, [])
        if s.kind == "method"
        if s.name not in {*CONSTRUCTORS, symbol.name}
        if is_exposed(ctx.analysis, s)
        if s.parent == symbol.id
        or s.qualified_name.rpartition(".")[0] == symbol.qualified_name
    ]
    return sorted(own, key=lambda s: (-weight_of(ctx.analysis, s), s.start_line))


def _others(
    ctx: PageContext, symbol: SurveySymbol, rest: Sequence[SurveySymbol]
) -> list[str]:
    """Return a sentence with the methods that are not told, none without any."""
    first = {each.name: each for each in reversed(rest)}  # an overload is one of them
    methods = sorted(first.values(), key=rest.index)
    if not methods:
        return []
    names = ctx.listed_cited(
        [ctx.own_name(each) for each in methods],
        lambda n: ctx.cite_symbol(methods[n]),
        _NAMED,
    )
    told = phrase("Other members of {name} are {names}.")
    return [ctx.say(told, name=ctx.symbol_name(symbol), names=names)]


def methods_of(ctx: PageContext, symbol: SurveySymbol) -> list[SurveySymbol]:
    """Return the methods of a type in its file, the weightiest first."""
    own = [
        s
        for s in ctx.analysis.symbols_of.get(symbol.file, [])
        if s.kind == "method" and s.parent == symbol.id
    ]
    return sorted(own, key=lambda s: (-weight_of(ctx.analysis, s), s.start_line))


def told_comments(
    ctx: PageContext, symbols: Sequence[SurveySymbol], told: Told
) -> list[str]:
    """Return what comments inside of the longest definitions say, in order."""
    blocks: list[str] = []
    longest = sorted(symbols, key=lambda s: (s.start_line - s.end_line, s.id))
    for symbol in longest[:_LONG_DEFINITIONS]:
        items = _comment_items(ctx, symbol, told)
        words = sum(len(item.split()) for item in items)
        if len(items) >= _FEWEST_COMMENTS and words >= _LEAST_OF_COMMENTS:
            title = ctx.say("Comments in {name}:", name=ctx.symbol_name(symbol))
            blocks += [title, "\n".join(items)]
            told.words += words
    return blocks


def _comment_items(ctx: PageContext, symbol: SurveySymbol, told: Told) -> list[str]:
    lines = ctx.book.lines(symbol.file)
    inside = [
        (s.start_line, s.end_line)
        for s in ctx.analysis.symbols_of.get(symbol.file, [])
        if s.parent == symbol.id
    ]
    items: list[str] = []
    for comment in inner_comments(lines, symbol.start_line, symbol.end_line, inside):
        start, end = comment.start_line, comment.end_line
        names = names_of_lines(ctx, comment.text, lines[start - 1 : end])
        found = told_sentences(comment.text, names)
        marker = ctx.book.cite(symbol.file, start, end + 1)
        if is_of_arguments(comment.text):
            continue
        if len(items) < _COMMENTS and (
            said := tell_paragraph(ctx, told, found, marker)
        ):
            items.append(f"- {said}")
    return items


def told_variants(ctx: PageContext, symbol: SurveySymbol, told: Told) -> list[str]:
    """Return the classes that inherit or implement a type, each with its sentence."""
    heirs = subtypes_of(ctx.analysis).get(symbol.id, [])
    if len(heirs) < _FEWEST_VARIANTS:
        return []
    told_heirs = [h for h in heirs if ctx.analysis.symbols[h.symbol].docstring]
    if 2 * len(told_heirs) < len(heirs):
        return [_named_variants(ctx, symbol, heirs)]
    items = []
    for heir in heirs[:_VARIANTS]:
        variant = ctx.analysis.symbols[heir.symbol]
        name = ctx.symbol_name(variant)
        said = ctx.symbol_purpose(variant)
        line = ctx.book.cite(heir.file, heir.line, heir.line)
        told.symbols.add(variant.id)
        items.append(f"- {name}{line}: {said}" if said else f"- {name}{line}")
    told.words += sum(len(item.split()) for item in items)
    told_as = _HEIRS[_relation(ctx, symbol, heirs)]
    title = ctx.say(told_as, name=ctx.symbol_name(symbol))
    return [title, "\n".join(items), *_more_variants(ctx, symbol, heirs)]


def _relation(ctx: PageContext, symbol: SurveySymbol, heirs: Sequence[Subtype]) -> str:
    """Return how all heirs are tied to a type: they implement, inherit, extend it."""
    if any(heir.is_possible for heir in heirs):
        return "possible"
    kinds = {ctx.analysis.symbols[heir.symbol].kind for heir in heirs}
    if symbol.kind != "interface":
        is_implemented = all(heir.is_implementing for heir in heirs)
        return "implement" if is_implemented else "inherit"
    if "interface" not in kinds:
        return "implement"
    return "extend" if kinds == {"interface"} else "both"


def _more_variants(
    ctx: PageContext, symbol: SurveySymbol, heirs: Sequence[Subtype]
) -> list[str]:
    """Return one line with the names of the heirs that are left."""
    left = heirs[_VARIANTS : _VARIANTS + _MORE_VARIANTS]
    shown = [
        ctx.symbol_name(ctx.analysis.symbols[heir.symbol])
        + ctx.book.cite(heir.file, heir.line, heir.line)
        for heir in left
    ]
    name = ctx.symbol_name(symbol)
    told = phrase("{names} build on {name}, too.")
    return [ctx.say(told, name=name, names=ctx.listed(shown))] if len(left) > 1 else []


def _named_variants(
    ctx: PageContext, symbol: SurveySymbol, heirs: Sequence[Subtype]
) -> str:
    shown = [
        ctx.symbol_name(ctx.analysis.symbols[heir.symbol])
        + ctx.book.cite(heir.file, heir.line, heir.line)
        for heir in heirs[: _VARIANTS + _MORE_VARIANTS]
    ]
    told = _NAMED_HEIRS[_relation(ctx, symbol, heirs)]
    name = ctx.symbol_name(symbol)
    return ctx.say(told, name=name, names=ctx.listed(shown))
