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


def hooks_of(analysis: Analysis, symbol: int) -> frozenset[str]:
    """Return the names of the functions that the type of a method keeps."""
    return frozenset(hook_lines(analysis, symbol))


@cached_by_analysis
def hook_lines(analysis: Analysis, symbol: int) -> dict[str, int]:
    """Return name → line of the functions that the type of a method keeps."""
    method = analysis.symbols[symbol]
    owner = owner_of(analysis, method)
    held = _HELD.get(analysis.files[method.file].language)
    if owner is None or held is None:
        return {}
    lines = analysis.lines.of(owner.file)
    methods = {s.name for s in analysis.members_of.get(owner.id, ())}
    found: dict[str, int] = {}
    for number in range(owner.start_line + 1, min(owner.end_line, len(lines)) + 1):
        match = held.match(lines[number - 1])
        if match is not None and match["name"] not in methods:
            found.setdefault(match["name"], number)
    return found


def owner_of(analysis: Analysis, method: SurveySymbol) -> SurveySymbol | None:
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
