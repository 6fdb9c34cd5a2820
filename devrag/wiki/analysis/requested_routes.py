"""Which topics tests reach from outside: by the paths of the routes they request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.survey import SurveyFact, SurveyFile

_PATH = re.compile(r"""(?P<quote>["'`])(?P<path>/[\w./-]+)(?=\?|(?P=quote))""")


@dataclass(frozen=True, slots=True)
class RequestedRoute:
    """A line of a test with a route's path. topics: what declares and handles it."""

    path: str
    test: int
    line: int
    route: SurveyFact
    topics: frozenset[int]


@cached_by_analysis
def requested_routes(analysis: Analysis) -> tuple[RequestedRoute, ...]:
    """Return the routes that tests request by their whole paths, each once a test."""
    routes = {path: f for f in analysis.facts("route") if (path := _path(f))}
    topics = {path: _topics(analysis, fact) for path, fact in routes.items()}
    return tuple(
        RequestedRoute(path, test.id, line, routes[path], topics[path])
        for test in analysis.with_role("test")
        if test.kind == "code"
        for path, line in _first_lines(_paths(analysis, test)).items()
        if topics.get(path)
    )


def _path(fact: SurveyFact) -> str:
    return str(fact.data.get("path") or "")


def _topics(analysis: Analysis, fact: SurveyFact) -> frozenset[int]:
    handler = analysis.symbol_at(fact)
    files = [fact.file, *([handler.file] if handler else [])]
    return frozenset(analysis.topic_of[f] for f in files if f in analysis.topic_of)


def _paths(analysis: Analysis, test: SurveyFile) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(analysis.texts.text(test.id).split("\n"), 1):
        yield from ((match["path"], number) for match in _PATH.finditer(line))


def _first_lines(found: Iterable[tuple[str, int]]) -> dict[str, int]:
    lines: dict[str, int] = {}
    for path, line in found:
        lines.setdefault(path, line)
    return lines
