"""How often tests and examples call a function: what users of a product call, too."""

from __future__ import annotations

import re
from collections import Counter

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.survey import SurveySymbol

_CALLED = re.compile(r"(?<![\w.$])([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?)\(")
_MOST_FILES = 300
_VERBS = {"get", "post", "put", "patch", "delete", "head", "options", "search"}


def calls_by_users(analysis: Analysis, symbol: SurveySymbol) -> int:
    """Return how often a function is called by its whole name, as `app.use(`."""
    return _called_names(analysis)[symbol.qualified_name]


@cached_by_analysis
def members_called(
    analysis: Analysis, file: int, owner: str
) -> tuple[tuple[str, int, int], ...]:
    """Return (name, file, line) of what users call of an object, the most called first.

    Verbs of HTTP alone, as `app.get('/', …)`, which no file defines: anything else may
    be of another object that has the same name.
    """
    defined = {s.name for s in analysis.symbols_of.get(file, ())}
    pattern = re.compile(rf"(?<![\w.$]){re.escape(owner)}\.([a-z]+)\(\s*['\"/]")
    first: dict[str, tuple[int, int]] = {}
    count = Counter[str]()
    for each in analysis.with_role("example", "test")[:_MOST_FILES]:
        for number, text in enumerate(analysis.lines.of(each.id), 1):
            for name in pattern.findall(text):
                if name in _VERBS and name not in defined:
                    count[name] += 1
                    first.setdefault(name, (each.id, number))
    most = sorted(count, key=lambda name: (-count[name], name))
    return tuple((name, *first[name]) for name in most)


@cached_by_analysis
def _called_names(analysis: Analysis) -> Counter[str]:
    found: Counter[str] = Counter()
    for file in analysis.with_role("example", "test")[:_MOST_FILES]:
        found.update(_CALLED.findall(analysis.texts.text(file.id)))
    return found
