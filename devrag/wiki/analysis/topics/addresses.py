"""Which page a topic that is found anew has: the one by which readers know it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.outline import Outline, outline_of
from devrag.wiki.analysis.topics.types import Topic

_SAME_PAGE = 0.5  # of the files


def jaccard(one: Collection[object], other: Collection[object]) -> float:
    """Return the share of what two sets hold that both hold."""
    a, b = set(one), set(other)
    return len(a & b) / len(a | b) if a | b else 0.0


def known_addresses(
    files: Sequence[Collection[str]], before: Outline
) -> dict[int, str]:
    """Return topic → the page of before about most of the same files.

    files: `source/path`s of each topic.
    """
    likeness = [
        (jaccard(own, topic.files), number, topic.page)
        for number, own in enumerate(files)
        for topic in before.topics
    ]
    found: dict[int, str] = {}
    for share, number, page in sorted(likeness, key=lambda x: (-x[0], x[1], x[2])):
        if share >= _SAME_PAGE and number not in found and page not in found.values():
            found[number] = page
    return found


def with_known_addresses(
    topics: Sequence[Topic], files: Mapping[int, SurveyFile], before: Outline
) -> list[Topic]:
    """Return topics, each with the address of the page that was about its files."""
    own = [topic.files for topic in outline_of(topics, files, "").topics]
    pages = known_addresses(own, before)
    return [replace(t, page=pages.get(n, t.page)) for n, t in enumerate(topics)]
