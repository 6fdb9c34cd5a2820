"""What ties one topic to another: the use that shows most of why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from devrag.wiki.analysis.calls import ResolvedUse
from devrag.wiki.analysis.imports import FileImport
from devrag.wiki.analysis.survey import SurveySymbol


def imports_between(
    ties: Iterable[FileImport], topic_of: Mapping[int, int]
) -> dict[tuple[int, int], FileImport]:
    """Return (topic, topic) → the first import from the one to the other."""
    found: dict[tuple[int, int], FileImport] = {}
    for tie in ties:
        a, b = topic_of.get(tie.file), topic_of.get(tie.target)
        if a is not None and b is not None and a != b:
            found.setdefault((a, b), tie)
    return found


def calls_between(
    calls: Iterable[ResolvedUse],
    topic_of: Mapping[int, int],
    symbols: Mapping[int, SurveySymbol],
    rank: Mapping[int, float],
) -> dict[tuple[int, int], FileImport]:
    """Return (topic, topic) → the call of what is used most.

    What needs no receiver comes first: its line shows most.
    """
    found: dict[tuple[int, int], FileImport] = {}
    best: dict[tuple[int, int], tuple[bool, float]] = {}
    for use in calls:
        target = symbols[use.target]
        a, b = topic_of.get(use.file), topic_of.get(target.file)
        if a is None or b is None or a == b:
            continue
        weight = target.kind != "method", rank[target.id]
        if (a, b) not in best or best[a, b] < weight:
            best[a, b] = weight
            found[a, b] = FileImport(
                use.file, target.file, target.name, use.line, target.id
            )
    return found
