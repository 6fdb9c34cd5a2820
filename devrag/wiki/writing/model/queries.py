"""What is asked of the index for each kind of page: words and where to look.

The writer's facts come from the graph; these bring text that no fact points at, from
code and from documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.planning.plan import PlannedPage
from devrag.wiki.writing.page_kinds import PAGE_KINDS

_QUERIES = {kind.name: kind.queries for kind in PAGE_KINDS}
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
    if page.topic is None:
        return list(_of_kind(page))
    return list(_of_topic(analysis, page.topic, page.title))


def _of_kind(page: PlannedPage) -> Iterable[PseudoQuery]:
    by_title = (f"{page.title} {aspect}" for aspect in _OF_OTHERS)
    for text in _QUERIES[page.kind] or by_title:
        yield PseudoQuery(text, "doc")
        yield PseudoQuery(text, "code")


def _of_topic(analysis: Analysis, index: int, title: str) -> Iterable[PseudoQuery]:
    topic = analysis.topics[index]
    prefix = f"{topic.directory}/" if topic.directory else ""
    for aspect in _OF_OTHERS:
        yield PseudoQuery(f"{title} {aspect}", "code", topic.source, prefix)
    yield PseudoQuery(f"{title} purpose and design", "doc")
