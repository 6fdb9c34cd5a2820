"""Questions that compare two things: what each side has, found by a search of its own.

What is the difference between S3 and DynamoDB names?  →  S3, DynamoDB
Oracle と PostgreSQL で外部結合の書き方はどう違いますか  →  Oracle, PostgreSQL
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from devrag.ask.asking_words import asks_only
from devrag.ask.evidence.candidates import (
    PassageCandidate,
    asks_for_changes,
    candidates_of_hits,
    heading_of,
)
from devrag.ask.evidence.retrieval import retrieve
from devrag.ask.types import AskRequest, Passage
from devrag.parsing.path_roles import is_changelog
from devrag.search.api import read_question
from devrag.search.types import Hit

_A, _B = r"(?P<a>[^、。？?,]{1,40}?)", r"(?P<b>[^、。？?,]{1,40}?)"
_WAYS = tuple(
    re.compile(way, re.IGNORECASE)
    for way in (
        (
            rf"\bdifferences?\s+between\s+{_A}\s+and\s+{_B}"
            r"(?P<topic>\s+(?:for|in|when|regarding|concerning|with)\s.*)$"
        ),
        rf"\bdifferences?\s+between\s+{_A}\s+and\s+{_B}(?P<topic>\s*[?.,]?\s*)$",
        rf"^(?P<topic>.*?)\b{_A}\s+(?:vs\.?|versus|compared\s+(?:to|with))\s+{_B}\W*$",
        rf"\bcompare\s+{_A}\s+(?:and|with|to)\s+{_B}(?P<topic>\W*)$",
        rf"\bhow\s+do\s+{_A}\s+and\s+{_B}\s+differ(?P<topic>.*)$",
        rf"\bhow\s+does\s+{_A}\s+differ\s+from\s+{_B}(?P<topic>\W*)$",
        (
            rf"{_A}\s*(?:と|対)\s*{_B}\s*(?:との|とで|では|の|で|は|を)[、\s]*"
            r"(?P<topic>.{0,60}?)(?:違い|違う|違っ|差異|差は|比較|比べ|使い分け|異な)"
        ),
    )
)
_VERSION = re.compile(r"v?\d+(?:\.\d+)*")
# Longer texts compare nothing: to look for two names in them takes too long.
_MOST_CHARACTERS = 300
_MOST_HITS = 40
_WEIGHT = 0.9


@dataclass(frozen=True, slots=True)
class Comparison:
    """The two sides of a question as they were written, and what is compared."""

    sides: tuple[str, str]
    topic: str = ""


@dataclass(frozen=True, slots=True)
class SidePassage:
    """The best passage of one side of a comparison."""

    side: str
    found: PassageCandidate


def read_comparison(question: str) -> Comparison | None:
    """Return what a question compares, None for a long one or one of another kind."""
    line = " ".join(question.split())
    if len(line) > _MOST_CHARACTERS:
        return None
    for way in _WAYS:
        if match := way.search(line):
            sides = match["a"].strip(" 「」`\"'"), match["b"].strip(" 「」`\"'")
            if all(read_question(each).words or _VERSION.match(each) for each in sides):
                return Comparison(sides, match["topic"].strip(" ?？.、,"))
    return None


def find_sides(request: AskRequest) -> list[SidePassage]:
    """Return the best passage of each side of a comparison, nothing without one."""
    asked = read_comparison(request.question)
    if asked is None:
        return []
    found = [
        SidePassage(side, candidate)
        for side in asked.sides
        if (candidate := _of_side(request, side, asked.topic)) is not None
    ]
    return found if len(found) == len(asked.sides) else []


def _of_side(request: AskRequest, side: str, topic: str) -> PassageCandidate | None:
    """Return what search finds of a side that is most about it and the topic."""
    hits = retrieve(request, f"{side} {topic}".strip(), limit=_MOST_HITS).hits
    own = read_question(side).stems
    telling = (word for word in read_question(topic).words if not asks_only(word))
    wanted = read_question(" ".join(telling)).stems
    if not asks_for_changes(request.question):
        hits = tuple(hit for hit in hits if not is_changelog(hit.path))
    of_side = [hit for hit in hits if _worth(hit, own, wanted)[0]]
    if not of_side:
        return None
    best = max(of_side, key=lambda hit: _worth(hit, own, wanted))
    (candidate,) = candidates_of_hits([best])
    return replace(candidate, weight=_WEIGHT, file_weight=_WEIGHT)


def _worth(
    hit: Hit, own: frozenset[str], topic: frozenset[str]
) -> tuple[int, int, bool, int]:
    """Return how much a result is of one side and about what is compared."""
    heading = read_question(heading_of(hit)).stems
    place = read_question(hit.path).stems | heading
    text = read_question(hit.text).stems
    return (
        len(own & (place | text)),
        len(topic & heading) + len(topic & text),
        hit.file_kind == "doc",
        len(own & place),
    )


def side_ids(
    sides: Sequence[SidePassage], passages: Sequence[Passage]
) -> tuple[tuple[str, str], ...]:
    """Return each side with the id of its passage, nothing where one was left out."""
    by_place = {(each.path, each.title): each.id for each in reversed(passages)}
    found = [
        (each.side, by_place.get((each.found.path, each.found.title), ""))
        for each in sides
    ]
    return tuple(found) if all(key for _, key in found) else ()
