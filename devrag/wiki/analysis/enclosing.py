"""The function or method that a line of a file is in."""

from __future__ import annotations

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import SurveySymbol

_CALLED = {"function", "method"}


def function_at(analysis: Analysis, file: int, line: int) -> SurveySymbol | None:
    """Return the innermost function or method around a line, None outside of all."""
    around = [
        symbol
        for symbol in analysis.symbols_of.get(file, ())
        if symbol.kind in _CALLED and symbol.start_line <= line <= symbol.end_line
    ]
    return max(around, key=lambda s: (s.start_line, -s.end_line), default=None)
