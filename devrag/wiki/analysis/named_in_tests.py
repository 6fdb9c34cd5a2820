"""Which definitions tests name: `app.render(…)` or `Basket` needs no import of its own.

A test may take what it calls from a module that only passes it on.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.leads import central_symbols
from devrag.wiki.analysis.script_exports import is_object_member
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.analysis.visibility import is_exposed

_WORD = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?")
_SHORTEST = 5  # letters of a name that is no common word
_TELLING = re.compile(r"[a-z0-9][A-Z]|_")


@dataclass(frozen=True, slots=True)
class NamedInTest:
    """Where a test file first names a definition of a topic."""

    test: int
    line: int
    topic: int
    symbol: SurveySymbol


@cached_by_analysis
def named_in_tests(analysis: Analysis) -> tuple[NamedInTest, ...]:
    """Return the first definition of each topic that each test file names."""
    known = _telling_names(analysis)
    found: list[NamedInTest] = []
    for file in analysis.with_role("test") if known else ():
        seen = set[int]()
        for number, line in enumerate(analysis.texts.text(file.id).split("\n"), 1):
            for word in _WORD.findall(line):
                symbol = known.get(word)
                topic = analysis.topic_of.get(symbol.file) if symbol else None
                if symbol is not None and topic is not None and topic not in seen:
                    seen.add(topic)
                    found.append(NamedInTest(file.id, number, topic, symbol))
    return tuple(found)


@cached_by_analysis
def tests_naming(analysis: Analysis, topic: int) -> tuple[NamedInTest, ...]:
    """Return where tests name a definition of one topic."""
    return tuple(each for each in named_in_tests(analysis) if each.topic == topic)


def _telling_names(analysis: Analysis) -> dict[str, SurveySymbol]:
    """Return the names that no other definition has, as tests write them."""
    by_name: dict[str, list[SurveySymbol]] = defaultdict(list)
    for topic in analysis.topics:
        for symbol in central_symbols(analysis, topic):
            if is_exposed(analysis, symbol) and (name := _written(analysis, symbol)):
                by_name[name].append(symbol)
    tests = {file.id for file in analysis.with_role("test")}
    own = Counter(s.name for s in analysis.survey.symbols if s.file in tests)
    return {n: s[0] for n, s in by_name.items() if len(s) == 1 and n not in own}


def _written(analysis: Analysis, symbol: SurveySymbol) -> str:
    if is_object_member(analysis, symbol):
        return symbol.qualified_name
    is_telling = len(symbol.name) >= _SHORTEST and _TELLING.search(symbol.name)
    return symbol.name if is_telling and symbol.parent is None else ""
