"""How a topic works, as its code tells it: docstrings, fields, variants, errors."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from devrag.wiki.analysis.docstrings import (
    DocumentedName,
    parameters_of,
    read_docstring,
)
from devrag.wiki.analysis.hierarchies import subtypes_of
from devrag.wiki.analysis.leads import central_symbols, weight_of
from devrag.wiki.analysis.names import escape
from devrag.wiki.analysis.passages import passages_of
from devrag.wiki.analysis.prose import (
    cited,
    clean,
    first_sentence,
    full_stop,
    join_sentences,
    only_names,
    opening,
    sentences,
)
from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol
from devrag.wiki.analysis.visibility import is_exposed
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.quoted_names import names_of_lines
from devrag.wiki.writing.structural.topic_page.calls import told_calls
from devrag.wiki.writing.structural.topic_page.errors import collect_errors
from devrag.wiki.writing.structural.topic_page.home import (
    Home,
    end_of_text,
    line_of_name,
)
from devrag.wiki.writing.structural.topic_page.members import (
    CONSTRUCTORS,
    methods_of,
    told_comments,
    told_fields,
    told_methods,
    told_variants,
)
from devrag.wiki.writing.structural.topic_page.told import (
    Told,
    cite_sentences,
    tell_passage,
)

_WORDS = 800  # of the page up to here
_LEAST_OF_CODE = 200
_OWNERS = {"class", "interface", "enum", "type"}
_MOST_TYPES = 8
_MOST_FILES = 6
_FUNCTIONS = 6
_LEAST_OF_MODULE = 14  # words
_NAMES = 10
_PARAMETERS = 8
_FEW_PARAMETERS = 3
_NAMED_METHODS = 12
_FEWEST_METHODS = 2
_RICH = 2  # functions of a module whose parameters are listed
_PASSAGES = 5
_LONGEST_ITEM = 360
_PARAMETERS_OF = phrase("Parameters of {name}:")
_FIELDS_OF = phrase("Fields of {name}:")
_OTHER = re.compile(r"or \w+$")  # of JSDoc: another name, no description


def implemented(ctx: PageContext, index: int, told: Told) -> list[str]:
    """Return a section for each central type and module, entry points first."""
    topic = ctx.analysis.topics[index]
    limit = told.words + max(_LEAST_OF_CODE, _WORDS - told.words)
    symbols = central_symbols(ctx.analysis, topic)
    types = [s for s in symbols if s.kind in _OWNERS][: 3 * _MOST_TYPES]
    blocks: list[str] = []
    shown = 0
    names = set[str]()
    for symbol in _entry_first(ctx, index, types):
        if symbol.name in names:
            continue
        names.add(symbol.name)
        if shown == _MOST_TYPES or told.words >= limit:
            break
        if section := _told_type(ctx, symbol, told):
            blocks += section
            shown += 1
    functions = [
        s
        for s in symbols
        if s.kind in {"function", "method"} and ctx.is_top_level(s)
        if is_exposed(ctx.analysis, s)
    ]
    return blocks + _told_modules(ctx, index, functions, told, limit)


def _entry_first(
    ctx: PageContext, index: int, types: Sequence[SurveySymbol]
) -> list[SurveySymbol]:
    """Order types so that those which use others stand before what they use."""
    own = {s.id: s for s in types[:_MOST_TYPES]}
    file_types = {(s.file, s.qualified_name): s.id for s in own.values()}
    used: dict[int, set[int]] = defaultdict(set)
    inherited = {
        (heir.symbol, heir.base)
        for base in own
        for heir in subtypes_of(ctx.analysis).get(base, [])
    }
    for heir, base in inherited:  # what varies a type stands after it
        used[heir].add(base)
    symbols = ctx.analysis.symbols
    of_types = [
        s for f in {s.file for s in own.values()} for s in ctx.analysis.symbols_of[f]
    ]
    for source in of_types:
        user = _owner(source, file_types)
        for target in ctx.analysis.symbol_edges.get(source.id, ()) if user else ():
            callee = _owner(symbols.get(target), file_types)
            is_heir = (user, callee) in inherited
            if callee and user and callee != user and not is_heir:
                used[callee].add(user)
    rest = [s for s in types if s.id not in own]
    return [
        *sorted(
            own.values(), key=lambda s: (len(used[s.id]), -weight_of(ctx.analysis, s))
        ),
        *rest,
    ]


def _owner(
    symbol: SurveySymbol | None, types: dict[tuple[int, str], int]
) -> int | None:
    if symbol is None:
        return None
    pieces = symbol.qualified_name.split(".")
    names = (".".join(pieces[:end]) for end in range(len(pieces), 0, -1))
    return next(
        (types[symbol.file, n] for n in names if (symbol.file, n) in types), None
    )


def _told_type(ctx: PageContext, symbol: SurveySymbol, told: Told) -> list[str]:
    if symbol.id in ctx.analysis.exceptions:
        return []
    is_known = symbol.id in told.symbols or told.begins_with(ctx.said_first(symbol))
    told.symbols.add(symbol.id)
    blocks = [
        *told_docstring(ctx, symbol, told),
        *told_fields(ctx, symbol, told),
        *told_variants(ctx, symbol, told),
        *told_methods(ctx, symbol, told),
        *_inside(ctx, symbol, told),
    ]
    collect_errors(ctx, [symbol], told)
    if not blocks or (len(blocks) == 1 and is_known and symbol.docstring):
        return []
    return [f"### `{symbol.qualified_name}`", *blocks]


def _inside(ctx: PageContext, symbol: SurveySymbol, told: Told) -> list[str]:
    """Return what a type's methods tell beside their docstrings."""
    methods = methods_of(ctx, symbol)
    named = [] if any(m.docstring for m in methods) else _named_methods(ctx, methods)
    if told.has_documents:
        return named
    methods = [m for m in methods if m.id not in told.walked]
    items = told_calls(ctx, methods, told)
    title = ctx.say("What its longest methods call:")
    calls = [title, "\n".join(items)] if items else []
    return [*named, *calls, *told_comments(ctx, methods, told)]


def _named_methods(ctx: PageContext, methods: Sequence[SurveySymbol]) -> list[str]:
    """Return a sentence with the methods of a type that explains none of them."""
    exposed = {
        m.name: m
        for m in reversed(methods)
        if is_exposed(ctx.analysis, m) and m.name.isidentifier() and ctx.is_called(m)
        if m.name not in CONSTRUCTORS
        and m.name != m.qualified_name.rpartition(".")[0].rpartition(".")[2]
    }
    shown = [
        ctx.own_name(m) + ctx.book.cite(m.file, *ctx.declaration(m).signature)
        for m in sorted(exposed.values(), key=lambda m: m.start_line)[:_NAMED_METHODS]
    ]
    told = phrase("Among its methods are {names}.")
    if len(shown) == len(exposed):
        told = phrase("It has the methods {names}.")
    is_telling = len(shown) >= _FEWEST_METHODS
    return [ctx.say(told, names=ctx.listed(shown))] if is_telling else []


def _told_modules(
    ctx: PageContext,
    index: int,
    functions: Iterable[SurveySymbol],
    told: Told,
    limit: int,
) -> list[str]:
    """Return what modules and their functions say of themselves, central ones first."""
    by_file: dict[int, list[SurveySymbol]] = defaultdict(list)
    for symbol in functions:
        by_file[symbol.file].append(symbol)
    for file in ctx.by_rank(ctx.analysis.topics[index].files):
        by_file.setdefault(file.id, [])
    blocks: list[str] = []
    shown = 0
    for file_id, own in by_file.items():
        if told.words >= limit or shown == _MOST_FILES:
            break
        file = ctx.analysis.files[file_id]
        if section := _told_module(ctx, file, own, told):
            blocks += [f"### `{file.path}`", *section]
            shown += 1
    return blocks


def _told_module(
    ctx: PageContext, file: SurveyFile, own: Sequence[SurveySymbol], told: Told
) -> list[str]:
    items: list[str] = []
    before = told.words
    purpose = _told_purpose(ctx, file, told)
    for symbol in own:
        if len(items) == _FUNCTIONS or symbol.id in told.symbols:
            continue
        if item := told_function(ctx, symbol):
            told.symbols.add(symbol.id)
            told.words += len(item.split())
            items.append(f"- {item}")
    untold = [s for s in own if s.id not in told.walked]
    if not told.has_documents:
        items += told_calls(ctx, untold, told)
    rich = _told_parameters(ctx, untold, told)
    comments = [] if told.has_documents else told_comments(ctx, untold, told)
    collect_errors(ctx, own, told)
    if not items and told.words - before < _LEAST_OF_MODULE:
        return []  # its line among the files says as much
    return [*purpose, *(["\n".join(items)] if items else []), *rich, *comments]


def _told_parameters(
    ctx: PageContext, symbols: Sequence[SurveySymbol], told: Told
) -> list[str]:
    """Return lists of the parameters of those functions that explain many."""
    blocks: list[str] = []
    for symbol in symbols:
        docstring = read_docstring(symbol.docstring, parameters_of(symbol.signature))
        taken = docstring.of_kind("parameter")
        if len(taken) <= _FEW_PARAMETERS or len(blocks) == 2 * _RICH:
            continue
        items = [_documented_name(ctx, symbol, each) for each in taken[:_NAMES]]
        told.words += sum(len(item.split()) for item in items)
        title = ctx.say(_PARAMETERS_OF, name=ctx.symbol_name(symbol))
        blocks += [title, "\n".join(items)]
    return blocks


def _told_purpose(ctx: PageContext, file: SurveyFile, told: Told) -> list[str]:
    purpose = ctx.analysis.purpose(file)
    if purpose is None or ctx.analysis.roles[file.id] != "code":
        return []
    home = Home(file.id, (purpose.start_line, purpose.end_line))
    blocks = read_docstring(purpose.text).blocks
    if len(blocks) == 1 and only_names(blocks[0].text, file.stem):
        return []
    found: list[str] = []
    for passage in passages_of(0, blocks, has_subject=True)[:_PASSAGES]:
        found += tell_passage(ctx, told, home, passage)
    return found


def told_function(ctx: PageContext, symbol: SurveySymbol) -> str:
    """Return a function with its first sentences and what it says of parameters.

    '' for one of which no more is said than in the table of the public surface.
    """
    docstring = read_docstring(symbol.docstring, parameters_of(symbol.signature))
    found = opening(docstring.body, ctx.analysis.names, limit=_LONGEST_ITEM)
    raised = docstring.of_kind("raises")
    taken = [t for t in docstring.of_kind("parameter") if not _OTHER.match(t.text)]
    has_taken = 0 < len(taken) <= _FEW_PARAMETERS
    if not found or not (raised or has_taken or len(found) > 1):
        return ""  # the table of the public surface says as much
    name = ctx.symbol_name(symbol)
    marker = ctx.cite_symbol(symbol)
    told = f"{name}: {cited(join_sentences(found), marker)}"
    if has_taken:
        told += " " + _taken(ctx, symbol, taken)
    if raised:
        what = ctx.listed([_raised(ctx, symbol, each) for each in raised[:3]])
        told += " " + cited(ctx.say("It raises {errors}.", errors=what), marker)
    return told


def _taken(
    ctx: PageContext, symbol: SurveySymbol, taken: Sequence[DocumentedName]
) -> str:
    """Return one sentence on the parameters that a docstring explains."""
    shown = [
        _shown_name(ctx, symbol, each.name) + ctx.wording.bracketed(_short(ctx, each))
        for each in taken[:_PARAMETERS]
    ]
    told = ctx.say("It takes {names}.", names=ctx.listed(shown))
    return cited(told, ctx.cite_symbol(symbol))


def _short(ctx: PageContext, each: DocumentedName) -> str:
    return first_sentence(each.text, ctx.analysis.names).rstrip(".。") or escape(
        each.name
    )


def _shown_name(ctx: PageContext, symbol: SurveySymbol, name: str) -> str:
    """Return a name as code where it stands in the lines that are cited."""
    start, end = ctx.head_of(symbol)
    lines = ctx.book.lines(symbol.file)[start - 1 : end]
    return f"`{name}`" if name in "\n".join(lines) else ctx.code(name)


def _raised(ctx: PageContext, symbol: SurveySymbol, each: DocumentedName) -> str:
    said = clean(each.text, ctx.analysis.names).rstrip(".")
    return _shown_name(ctx, symbol, each.name) + ctx.wording.bracketed(said)


def told_docstring(ctx: PageContext, symbol: SurveySymbol, told: Told) -> list[str]:
    """Return the paragraphs of a definition's docstring and its parameters."""
    docstring = read_docstring(symbol.docstring, parameters_of(symbol.signature))
    blocks: list[str] = []
    body = docstring.blocks
    if body and only_names(body[0].text, symbol.name):
        body = body[1:]
    home = Home(symbol.file, ctx.head_of(symbol))
    for passage in passages_of(0, body, has_subject=True)[:_PASSAGES]:
        blocks += tell_passage(ctx, told, home, passage)
    named = docstring.of_kind("parameter", "attribute")
    names = [each for each in named if not _OTHER.match(each.text)][:_NAMES]
    items = [_documented_name(ctx, symbol, each) for each in names]
    told.words += sum(len(item.split()) for item in items)
    if not items:
        return blocks
    is_called = all(each.kind == "parameter" for each in names)
    head = _PARAMETERS_OF if is_called else _FIELDS_OF
    title = ctx.say(head, name=ctx.symbol_name(symbol))
    return [*blocks, title, "\n".join(items)]


def _documented_name(
    ctx: PageContext, symbol: SurveySymbol, each: DocumentedName
) -> str:
    """Return an item on a parameter, citing the lines that explain it."""
    lines = ctx.book.lines(symbol.file)
    top, last = ctx.head_of(symbol)
    line = line_of_name(lines, each.name, each.text, (top, last))
    if line is None:
        said = full_stop(clean(each.text, ctx.analysis.names))
        told = [f"{ctx.code(each.name)}: {said}"]
        return "- " + cite_sentences(ctx, told, ctx.cite_symbol(symbol))
    end = end_of_text(lines, each.text, line, last)
    names = names_of_lines(ctx, each.text, lines[line - 1 : end])
    first, *rest = sentences(full_stop(clean(each.text, names)))
    marker = ctx.book.cite(symbol.file, line, end)
    return "- " + cite_sentences(ctx, [f"`{each.name}`: {first}", *rest], marker)
