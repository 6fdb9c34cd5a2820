"""Which classes are errors."""

from __future__ import annotations

from collections.abc import Iterable

from devrag.wiki.analysis.calls import ResolvedUse
from devrag.wiki.analysis.survey import Survey

_ENDINGS = ("Error", "Exception", "Warning", "Exit")


def error_classes(survey: Survey, uses: Iterable[ResolvedUse]) -> set[int]:
    """Return classes that are errors, by their name or by what they inherit."""
    found = {
        reference.symbol
        for reference in survey.references
        if reference.kind == "inherit" and reference.name.endswith(_ENDINGS)
    } | {
        symbol.id
        for symbol in survey.symbols
        if symbol.kind == "class" and symbol.name.endswith(_ENDINGS)
    }
    bases = [(use.source, use.target) for use in uses if use.kind == "inherit"]
    while more := {a for a, b in bases if b in found and a not in found}:
        found |= more
    return {symbol for symbol in found if symbol is not None}
