"""What a section gains whose own heading is what was asked for."""

from __future__ import annotations

from functools import lru_cache

from devrag.search.candidates import CandidateChunk
from devrag.search.features import forms_of
from devrag.search.lexical.analyser import STOP_WORDS, tokenize
from devrag.search.lexical.stemming import stem
from devrag.search.query_intent import Question

# More words are a question, which a heading seldom repeats.
_MOST_WORDS = 4
_WORTH, _PER_LEVEL = 6.0, 0.25


def is_titled(question: Question, spot: CandidateChunk) -> bool:
    """Return whether a section's heading has all words of a short question."""
    return heading_worth(question, spot) > 0.0


def heading_worth(question: Question, spot: CandidateChunk) -> float:
    """Return what a heading with all words adds to a section's value, 0 without them.

    A heading of these words alone counts most, and a chapter's more than one below it.
    """
    asked = question.stems
    if not spot.heading or not asked or len(asked) > _MOST_WORDS:
        return 0.0
    heading = _stems(spot.heading)
    if any(heading.isdisjoint(forms_of(word)) for word in asked):
        return 0.0
    exactness = min(1.0, len(asked) / len(heading))
    return _WORTH * exactness / (1.0 + _PER_LEVEL * max(0, spot.depth - 1))


@lru_cache(maxsize=10_000)
def _stems(heading: str) -> frozenset[str]:
    words = (word for word in tokenize(heading) if not word.isdecimal())
    return frozenset(stem(word) for word in words if word not in STOP_WORDS)
