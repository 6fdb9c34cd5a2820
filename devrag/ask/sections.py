"""Whether a section of documentation answers a question, as far as words tell: pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from devrag.ask.asking_words import asks_only
from devrag.ask.quotations import read_blocks
from devrag.ask.reasons import AskedWord, AskedWords
from devrag.ask.types import Passage
from devrag.parsing.path_roles import is_changelog
from devrag.search.api import read_question

# Of a word that its heading has, and of one that only the text below has.
_IN_HEADING, _IN_TEXT = 1.0, 0.8
# From which share of a question's words on a section answers it.
_LEAST = 0.6
# Words of a heading that one word of a question may name.
_SHORT_HEADING = 3


def answer_worth(passage: Passage, asked: AskedWords) -> float:
    """Return how surely a section answers, 0 for one that only shares words."""
    if passage.kind != "documentation" or is_changelog(passage.path):
        return 0.0
    words = _telling(passage, asked)
    heading = read_question(passage.title)
    named = [word for word in words if word.is_in(heading.stems)]
    if len(words) <= 1:
        is_short = len(heading.words) <= _SHORT_HEADING
        return _IN_HEADING if named and is_short else 0.0
    others = [word for word in words if word not in named]
    best = max(
        (sum(word.is_in(stems) for word in others) for stems in _windows(passage)),
        default=0,
    )
    if len(named) + best <= 1:
        return 0.0
    worth = (_IN_HEADING * len(named) + _IN_TEXT * best) / len(words)
    return worth if worth >= _LEAST else 0.0


def _telling(passage: Passage, asked: AskedWords) -> list[AskedWord]:
    """Return the words that say what is asked; all is about the product itself."""
    own = {passage.product.lower(), passage.source.lower()}
    return [w for w in asked.words if not asks_only(w.text) and w.text not in own]


def _windows(passage: Passage) -> Iterator[frozenset[str]]:
    """Yield the stems of neighbouring blocks, which say one thing together."""
    blocks = [each for each in read_blocks(passage.text) if each.kind != "heading"]
    stems = [read_question(each.text).stems for each in blocks]
    yield from stems[:1]
    yield from (one | other for one, other in pairwise(stems))
