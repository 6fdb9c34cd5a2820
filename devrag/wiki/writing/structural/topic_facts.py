"""What a topic is from facts alone, in the wiki's language.

It stands before the words of the sources where those are in another language.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from devrag.core.identifiers import words_of
from devrag.parsing.tokens import count_cjk
from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol
from devrag.wiki.evidence.blocks import plain
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_headings import explained

_SHOWN = 3
_FEWEST = 3  # functions that are told together
_SHARE = 0.3  # of all functions of a topic
_TYPES = {"class", "interface", "enum", "type"}
_CALLED = {"function", "method"}
_NOUNS = (phrase("type"), phrase("function"), phrase("method"))
_RETURNED = re.compile(r"(?:\)\s*:?|->)\s*([A-Z]\w*)\s*[{:]?\s*$")


def is_foreign(ctx: PageContext, said: str) -> bool:
    """Return whether the words of the sources are not in the wiki's language."""
    return begins_with_facts(ctx) and bool(said) and not count_cjk(plain(said))


def begins_with_facts(ctx: PageContext) -> bool:
    """Return whether facts come before what code says, which is mostly English."""
    return ctx.plan.language == "ja"


def brief_facts(ctx: PageContext, index: int) -> str:
    """Return one or two sentences on a topic and on who uses it, cited.

    What documents explain of it says more than how much it defines.
    """
    code = _code(ctx, index)
    told = explained(ctx, index) or _defined(ctx, code, shown=1)
    found = [told, _users(ctx, index)]
    return ctx.joined([said for said in found if said]) if code else ""


def topic_facts(ctx: PageContext, index: int) -> str:
    """Return a paragraph on what a topic defines, uses and is used by, cited."""
    code = _code(ctx, index)
    if not code:
        return ""
    functions = [s for f in code for s in ctx.defined_at(f) if s.kind in _CALLED]
    found = [
        explained(ctx, index),
        _defined(ctx, code),
        _largest_type(ctx, code),
        _alike(ctx, functions),
        _returning(ctx, functions),
        _users(ctx, index),
        _used(ctx, index),
    ]
    return ctx.joined([said for said in found if said])


def _code(ctx: PageContext, index: int) -> list[SurveyFile]:
    files = ctx.analysis.topics[index].files
    code = [f for f in files if ctx.analysis.roles[f.id] == "code"]
    return sorted(code, key=lambda f: (-f.lines, f.path))


def _defined(ctx: PageContext, code: Sequence[SurveyFile], shown: int = _SHOWN) -> str:
    """Return how many types and functions there are, and in which files."""
    kinds = Counter[str]()
    for file in code:
        for symbol in ctx.analysis.symbols_of.get(file.id, []):
            is_inside = not ctx.is_top_level(symbol)
            called = "method" if is_inside or symbol.kind == "method" else "function"
            if symbol.kind in _CALLED:
                kinds[called] += 1
            elif symbol.kind in _TYPES:
                kinds["type"] += 1
    told = [ctx.counted(kinds[noun], noun) for noun in _NOUNS if kinds[noun]]
    if not told:
        return ""
    paths = [ctx.path(file) + ctx.cite_file(file) for file in code[:shown]]
    files = ctx.listed(paths) if len(code) <= shown else ctx.listed_open(paths)
    said = phrase("The code in {files} defines {counts}.")
    return ctx.say(said, files=files, counts=ctx.listed(told))


def _largest_type(ctx: PageContext, code: Sequence[SurveyFile]) -> str:
    """Return the type with the most methods, '' where none has several."""
    methods = Counter(  # by name: a method may stand in another file than its type
        symbol.qualified_name.rpartition(".")[0]
        for file in code
        for symbol in ctx.analysis.symbols_of.get(file.id, [])
        if symbol.kind in _CALLED
    )
    own = {s.name: s for f in code for s in ctx.defined_at(f) if s.kind in _TYPES}
    name = max(own, key=lambda each: methods[each], default="")
    count = methods[name]
    if not name or count < _FEWEST:
        return ""
    symbol = own[name]
    return ctx.say(
        phrase("The type with the most methods is {name} ({number})."),
        name=ctx.symbol_name(symbol) + ctx.cite_symbol(symbol),
        number=count,
    )


def _alike(ctx: PageContext, functions: Sequence[SurveySymbol]) -> str:
    """Return the sentence on functions whose names begin with one word."""
    groups: dict[str, list[SurveySymbol]] = defaultdict(list)
    for symbol in functions:
        words = words_of(symbol.name)
        if symbol.is_public and len(words) > 1 and symbol.name.startswith(words[0]):
            groups[words[0]].append(symbol)
    word = max(groups, key=lambda each: len(groups[each]), default="")
    said = phrase("The names of {functions} begin with “{word}”: {names}.")
    return _grouped(ctx, said, groups.get(word, []), functions, word=word)


def _returning(ctx: PageContext, functions: Sequence[SurveySymbol]) -> str:
    """Return the sentence on functions that return values of one type."""
    groups: dict[str, list[SurveySymbol]] = defaultdict(list)
    for symbol in functions:
        match = _RETURNED.search(" ".join(symbol.signature.split()))
        if match and symbol.is_public and ctx.analysis.names.knows(match[1]):
            groups[match[1]].append(symbol)
    word = max(groups, key=lambda each: len(groups[each]), default="")
    said = phrase("{functions} return `{word}`: {names}.")
    return _grouped(ctx, said, groups.get(word, []), functions, word=word)


def _grouped(
    ctx: PageContext,
    said: str,
    group: Sequence[SurveySymbol],
    functions: Sequence[SurveySymbol],
    *,
    word: str,
) -> str:
    if len(group) < _FEWEST or len(group) < _SHARE * len(functions):
        return ""
    rank = ctx.analysis.symbol_rank
    ranked = sorted(group, key=lambda s: (-rank[s.id], s.id))[:_SHOWN]
    shown = [ctx.symbol_name(s) + ctx.cite_symbol(s) for s in ranked]
    is_all = len(group) <= _SHOWN
    names = ctx.listed(shown) if is_all else ctx.listed_open(shown)
    functions_told = ctx.counted(len(group), "function")
    return ctx.say(said, functions=functions_told, word=word, names=names)


def _users(ctx: PageContext, index: int) -> str:
    edges = ctx.analysis.topic_edges
    weights = {t: targets[index] for t, targets in edges.items() if index in targets}
    pairs = [(topic, index) for topic in _heaviest(weights)]
    return _tied(ctx, phrase("It is used by {topics}."), pairs, 0)


def _used(ctx: PageContext, index: int) -> str:
    weights = ctx.analysis.topic_edges.get(index, {})
    pairs = [(index, topic) for topic in _heaviest(weights)]
    return _tied(ctx, phrase("It uses {topics}."), pairs, 1)


def _heaviest(weights: dict[int, float]) -> list[int]:
    return sorted(weights, key=lambda topic: (-weights[topic], topic))


def _tied(
    ctx: PageContext, said: str, pairs: Sequence[tuple[int, int]], side: int
) -> str:
    """Return the sentence on topics, each cited where it is tied to this one."""
    if not pairs:
        return ""
    ties = ctx.analysis.tie_of_topics
    shown = [ctx.topic(p[side]) + ctx.cite_tie(ties.get(p)) for p in pairs[:_SHOWN]]
    return ctx.say(said, topics=ctx.listed(shown, len(pairs) - len(shown)))
