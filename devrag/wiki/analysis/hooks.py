"""Functions that a type keeps in its fields, for its users to supply: `Run func(…)`."""

from __future__ import annotations

import re

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.survey import SurveySymbol

_TYPES = {"class", "interface", "struct", "type"}
_ARROW = re.compile(r"^\s+(?:readonly\s+)?(?P<name>\w+)\??:\s*\(*\([^()]*\)\s*=>")
_HELD = {
    "go": re.compile(r"^\t(?P<name>[A-Za-z]\w*)\s+func\("),
    "python": re.compile(r"^\s+(?:self\.)?(?P<name>\w+)\s*:.*\bCallable\b"),
    "typescript": _ARROW,
    "tsx": _ARROW,
}


@cached_by_analysis
def hooks_of(analysis: Analysis, symbol: int) -> frozenset[str]:
    """Return the names of the functions that the type of a method keeps."""
    method = analysis.symbols[symbol]
    owner = _owner(analysis, method)
    held = _HELD.get(analysis.files[method.file].language)
    if owner is None or held is None:
        return frozenset()
    lines = analysis.lines.of(owner.file)[owner.start_line : owner.end_line]
    methods = {s.name for s in analysis.members_of.get(owner.id, ())}
    found = {match["name"] for line in lines if (match := held.match(line))}
    return frozenset(found - methods)


def _owner(analysis: Analysis, method: SurveySymbol) -> SurveySymbol | None:
    """Return the type of a method, which in Go stands apart from it."""
    parent = analysis.symbols.get(method.parent or 0)
    if parent is not None:
        return parent if parent.kind in _TYPES else None
    name = method.qualified_name.rpartition(".")[0]
    directory = analysis.files[method.file].directory
    found = (
        s
        for s in analysis.symbols_named.get(name.rpartition(".")[2], ())
        if s.kind in _TYPES
        and s.qualified_name == name
        and analysis.files[s.file].directory == directory
    )
    return next(found, None) if name else None
