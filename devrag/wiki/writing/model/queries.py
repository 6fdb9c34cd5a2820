"""What is asked of the index for each kind of page: words and where to look.

The writer's facts come from the graph; these bring text that no fact points at, from
code and from documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.planning.plan import PlannedPage

_TOPICS: dict[str, tuple[str, ...]] = {
    "index": (
        "overview: what the product does and for whom",
        "getting started, install and first steps",
        "main concepts and components",
    ),
    "architecture": (
        "architecture and design of the system",
        "message flow between components, queues and events",
        "design decisions and their reasons",
    ),
    "interfaces": (
        "routes, endpoints and request handling",
        "command line commands and their options",
        "background tasks and schedules",
    ),
    "data-model": ("data model, tables and relations", "migrations and constraints"),
    "configuration": ("settings and environment variables", "default configuration"),
    "build": ("build, install, run and deploy", "continuous integration"),
    "testing": ("how to run the tests", "test fixtures and test strategy"),
    "documentation": ("guides and documentation overview",),
}
_OF_OTHERS = ("how it works and why", "errors, limits and special cases")


@dataclass(frozen=True, slots=True)
class PseudoQuery:
    """A question to the index. kind: `code`, `doc` or both when empty."""

    text: str
    kind: str = ""
    source: str = ""
    path_prefix: str = ""


def pseudo_queries(analysis: Analysis, page: PlannedPage) -> list[PseudoQuery]:
    """Return the questions for a page, code and documents apart."""
    if page.part is None:
        topics = _TOPICS.get(page.kind, _OF_OTHERS)
        return list(_of_topic(page, topics))
    return list(_of_part(analysis, page.part, page.title))


def _of_topic(page: PlannedPage, topics: Iterable[str]) -> Iterable[PseudoQuery]:
    for topic in topics:
        text = topic if page.kind in _TOPICS else f"{page.title} {topic}"
        yield PseudoQuery(text, "doc")
        yield PseudoQuery(text, "code")


def _of_part(analysis: Analysis, index: int, title: str) -> Iterable[PseudoQuery]:
    part = analysis.parts[index]
    prefix = f"{part.path}/" if part.path else ""
    for topic in _OF_OTHERS:
        yield PseudoQuery(f"{title} {topic}", "code", part.source, prefix)
    yield PseudoQuery(f"{title} purpose and design", "doc")
