"""Whether a section of documentation answers a question, as far as words tell: pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from devrag.ask.asking_words import asks_only
from devrag.ask.question_kind import CONDITION
from devrag.ask.quotations import Block, read_blocks
from devrag.ask.reasons import AskedWord, AskedWords
from devrag.ask.types import Passage
from devrag.parsing.path_roles import is_changelog, name_words
from devrag.search.api import read_question

# Of a word that its heading has, and of one that only the text below has.
_IN_HEADING, _IN_TEXT = 1.0, 0.8
# Of a word in the name of its file.
_IN_PATH = 0.1
# Of a heading that begins with a word of the question.
_BEGINS = 0.05
# From which share of a question's words on a section answers it.
_LEAST = 0.6
# Words of a heading that one word of a question may name.
_SHORT_HEADING = 3
# Beside those: of a heading that has little else, and of words that stand together.
_WHOLE_HEADING, _TOGETHER = 0.15, 0.1
_OF_CONTENTS = re.compile(r"(?:table of )?contents|目次", re.IGNORECASE)
_ENDS = re.compile(r"[。！？\n]|[.!?](?=\s)")
_ENUMERATES = re.compile(r"[:：]\s*\w|[,、].+[,、]\s*\w", re.DOTALL)
_MARKS = " \t-*+•|>#"


def answer_worth(passage: Passage, asked: AskedWords) -> float:
    """Return how surely a section answers, 0 for one that only shares words."""
    if passage.kind != "documentation" or is_changelog(passage.path):
        return 0.0
    names = passage.product, passage.source
    return section_worth(passage.title, passage.text, passage.path, names, asked)


def section_worth(
    title: str, text: str, path: str, names: Iterable[str], asked: AskedWords
) -> float:
    """Return how surely a section answers by its heading and its text.

    names: of the product and the source: all is about these.
    """
    own = {name.lower() for name in names}
    words = [word for word in asked.telling if word.text not in own]
    if _OF_CONTENTS.fullmatch(title.strip()):
        return 0.0
    worth = _worth(title, text, path, words, own)
    return worth or _LEAST * _says_it(text, asked, words)


def _worth(
    title: str, text: str, path: str, words: Sequence[AskedWord], own: Collection[str]
) -> float:
    heading = read_question(title)
    named = [word for word in words if word.is_in(heading.stems)]
    if len(words) <= 1:
        is_short = len(heading.words) <= _SHORT_HEADING
        if named and is_short:
            return _IN_HEADING
        return _LEAST if _begins_line(text, words) else 0.0
    others = [word for word in words if word not in named]
    single, pairs = _windows(text)
    best, together = _most(others, pairs), _most(others, single)
    called = read_question(" ".join(name_words(path))).stems
    is_called = any(word.is_in(called) for word in words)
    if len(named) + best <= 1 or not (named or is_called):
        return 0.0  # it shares words, but is about something else
    worth = (_IN_HEADING * len(named) + _IN_TEXT * best) / len(words)
    its_words = [w for w in heading.words if w not in own and not asks_only(w)]
    is_all_asked = 1 < len(its_words) <= len(named)
    if worth < _LEAST and not is_all_asked:
        return 0.0
    worth += _IN_HEADING * is_all_asked
    bonus = _TOGETHER if together == best else 0.0
    bonus += _IN_PATH * is_called + _BEGINS * _begins_heading(title, words)
    return worth + bonus + _WHOLE_HEADING * len(named) / max(1, len(heading.words))


def _begins_heading(title: str, words: Iterable[AskedWord]) -> bool:
    """Return whether a heading begins with what is asked, not with a kind of it.

    Of *option values*, *Option value resolution* tells more than *Multi value options*.
    """
    first = title.split()[:1]
    stems = read_question(" ".join(first)).stems
    return any(word.is_in(stems) for word in words)


def _says_it(text: str, asked: AskedWords, words: Sequence[AskedWord]) -> bool:
    """Return whether one sentence has all that is asked about, and says when or which.

    Which: it enumerates several things, after a colon or between commas.
    """
    wanted = [
        way
        for kind, way in (("condition", CONDITION), ("list", _ENUMERATES))
        if kind in asked.kinds and (kind == "condition" or len(words) > 1)
    ]
    if not wanted or not words:
        return False
    return any(
        any(way.search(sentence) for way in wanted)
        and all(word.is_in(read_question(sentence).stems) for word in words)
        for block in _sentences(text)
        for sentence in _ENDS.split(block.text)
    )


def _begins_line(text: str, words: Iterable[AskedWord]) -> bool:
    """Return whether a line or an item of a list begins with one of the words."""
    starts = tuple(word.text for word in words)
    lines = (line for each in _sentences(text) for line in each.lines)
    return any(line.lstrip(_MARKS).lower().startswith(starts) for line in lines)


def _most(words: Sequence[AskedWord], windows: Iterable[frozenset[str]]) -> int:
    """Return how many of the words one window has."""
    return max(
        (sum(word.is_in(stems) for word in words) for stems in windows), default=0
    )


def _windows(text: str) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
    """Return the stems of blocks, and of neighbours, which say one thing together."""
    stems = [read_question(each.text).stems for each in _sentences(text)]
    return stems, [*stems[:1], *(one | other for one, other in pairwise(stems))]


def _sentences(text: str) -> list[Block]:
    """Return the blocks that say something in words."""
    return [each for each in read_blocks(text) if each.kind not in {"heading", "code"}]
