"""Which definitions of the code a text names."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import pairwise

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.documents import DocumentBlock
from devrag.wiki.analysis.survey import SurveySymbol

_KINDS = {"class", "interface", "enum", "type", "function", "method"}
_MOST_MEANT = 3  # definitions of one name, else it is nobody's
_SHORTEST = 3
_SPAN = re.compile(r"`([^`\n]+)`")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_CODE_LIKE = re.compile(r"\b(?:[A-Z][a-z0-9]+[A-Z]\w*|[a-z]\w*_\w+|\w+(?=\(\)))")


@cached_by_analysis
def symbols_by_name(analysis: Analysis) -> dict[str, list[SurveySymbol]]:
    """Return name → the definitions in code that bear it, few at most."""
    found: dict[str, list[SurveySymbol]] = defaultdict(list)
    for symbol in analysis.survey.symbols:
        is_meant = symbol.kind in _KINDS and len(symbol.name) >= _SHORTEST
        is_private = any(p.startswith("_") for p in symbol.qualified_name.split("."))
        if is_meant and not is_private and analysis.roles[symbol.file] == "code":
            for name in _names_of(symbol):
                found[name].append(symbol)
    return {name: own for name, own in found.items() if len(own) <= _MOST_MEANT}


def _names_of(symbol: SurveySymbol) -> set[str]:
    """Return how a text may name a symbol; a method's plain word may mean anything."""
    short = ".".join(symbol.qualified_name.split(".")[-2:])
    is_plain = (
        symbol.kind == "method" and symbol.name.isalpha() and symbol.name.islower()
    )
    return {short} if is_plain else {symbol.name, short}


def mentioned_symbols(
    analysis: Analysis, blocks: Iterable[DocumentBlock], topic: int
) -> list[SurveySymbol]:
    """Return the definitions that blocks name, those of the topic and rare ones first.

    A name that several definitions bear means the topic's own, else none.
    """
    known = symbols_by_name(analysis)
    times: Counter[int] = Counter()
    found: dict[int, SurveySymbol] = {}
    for block in blocks:
        for name in _names(block):
            symbol = _meant(analysis, known.get(name, []), topic)
            if symbol is not None:
                found[symbol.id] = symbol
                times[symbol.id] += 3 if block.kind != "code" else 1
    home = analysis.topic_of

    def order(symbol: SurveySymbol) -> tuple[bool, bool, int, int]:
        is_foreign = home.get(symbol.file) != topic
        return is_foreign, symbol.kind == "method", -times[symbol.id], symbol.id

    return sorted(found.values(), key=order)


def _meant(
    analysis: Analysis, symbols: list[SurveySymbol], topic: int
) -> SurveySymbol | None:
    own = [s for s in symbols if analysis.topic_of.get(s.file) == topic]
    chosen = own or symbols
    return chosen[0] if len(chosen) == 1 else None


def _names(block: DocumentBlock) -> Iterable[str]:
    if block.kind == "code":
        marked, rest = block.text, ""
    else:
        marked, rest = " ".join(_SPAN.findall(block.text)), _SPAN.sub(" ", block.text)
    for dotted in _NAME.findall(marked):
        pieces = dotted.split(".")
        yield from pieces
        yield from (".".join(pair) for pair in pairwise(pieces))
    yield from _CODE_LIKE.findall(rest)
