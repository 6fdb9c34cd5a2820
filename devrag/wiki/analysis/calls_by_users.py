"""How often tests and examples call a function: what users of a product call, too."""

from __future__ import annotations

import re
from collections import Counter

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.survey import SurveySymbol

_CALLED = re.compile(r"(?<![\w.$])([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?)\(")
_MOST_FILES = 300


def calls_by_users(analysis: Analysis, symbol: SurveySymbol) -> int:
    """Return how often a function is called by its whole name, as `app.use(`."""
    return _called_names(analysis)[symbol.qualified_name]


@cached_by_analysis
def _called_names(analysis: Analysis) -> Counter[str]:
    found: Counter[str] = Counter()
    for file in analysis.with_role("example", "test")[:_MOST_FILES]:
        found.update(_CALLED.findall(analysis.texts.text(file.id)))
    return found
