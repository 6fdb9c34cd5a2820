"""Why a passage is among the places of an answer that no model wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

from devrag.ask.types import Passage
from devrag.core.plain_markdown import to_plain
from devrag.core.text import shorten
from devrag.search.api import counterparts, read_question
from devrag.sources.api import text_of_document

_QUOTED_CHARACTERS = 200
_MOST_WORDS = 4
_SENTENCE = re.compile(r"(?:[^.!?。！？•]|[.!?](?!\s|\Z))+[.!?。！？]*")
_QUOTED_KINDS = frozenset({"definition", "test", "configuration", "fact", "data"})
_LEAST_LINE = 8  # characters: a brace or a word answers nothing
# Of a question's words, so many in its heading make a section an answer.
_LEAST_SHARE = 2 / 3


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word of a question that matters. start: where it stands there.

    forms: the stems that it may have, its own or those of its translations.
    """

    start: int
    text: str
    forms: tuple[frozenset[str], ...]

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def is_in(self, stems: frozenset[str]) -> bool:
        return any(form and form <= stems for form in self.forms)


@dataclass(frozen=True, slots=True)
class AskedWords:
    """The words of a question that matter, in its order."""

    words: tuple[AskedWord, ...] = ()

    def found_in(self, text: str) -> tuple[str, ...]:
        """Return the words that a text has; parts of a Japanese word as the word."""
        there = read_question(text).stems
        found: list[str] = []
        end = -1
        for word in self.words:
            if not word.is_in(there) or word.end <= end:
                continue
            if word.start == end and not word.text.isascii():
                found[-1] += word.text
            else:
                found.append(word.text)
            end = word.end
        return tuple(found)

    def are_named_in(self, heading: str) -> bool:
        """Return whether a heading is about most of what is asked."""
        there = read_question(heading).stems
        found = sum(word.is_in(there) for word in self.words)
        return found > 1 and found >= _LEAST_SHARE * len(self.words)


def read_words(question: str) -> AskedWords:
    """Return the words that matter in a question."""
    lowered = question.lower()
    words = [
        AskedWord(lowered.find(word), word, _forms((word, *counterparts(word))))
        for word in read_question(question).words
    ]
    return AskedWords(tuple(sorted(words, key=lambda each: (each.start, -each.end))))


def reason_of(passage: Passage, asked: AskedWords) -> str:
    """Return what a passage is or says: never nothing."""
    if passage.kind == "documentation":
        return quote(passage, asked) or _said_by_words(passage, asked)
    return passage.why or _said_by_words(passage, asked)


def quote(passage: Passage, asked: AskedWords) -> str:
    """Return the words of documentation from the sentence with most asked words on.

    Where the quotation has that sentence anyway, it begins with the text.
    """
    text = to_plain(text_of_document(passage.text), passage.title).lstrip("• ")
    best, start = 0, 0
    for sentence in _SENTENCE.finditer(text):
        found = len(asked.found_in(sentence[0]))
        if found > best:
            best, start = found, sentence.start()
            end = sentence.end()
    if not best or end <= _QUOTED_CHARACTERS:
        return shorten(text, _QUOTED_CHARACTERS)
    return "…" + shorten(text[start:].lstrip("• "), _QUOTED_CHARACTERS)


def best_line(passage: Passage, asked: AskedWords) -> tuple[int, str] | None:
    """Return the line of code with most asked words; None where a name says as much."""
    if passage.kind not in _QUOTED_KINDS:
        return None
    known = len(asked.found_in(passage.title))
    best, found = known, None
    for number, line in enumerate(passage.text.split("\n"), passage.start_line):
        said = len(asked.found_in(line)) if len(line.strip()) >= _LEAST_LINE else 0
        if said > best:
            best, found = said, (number, line.strip())
    return found


def words_shared(passage: Passage, asked: AskedWords) -> tuple[str, ...]:
    """Return the words of the question that a passage has, or its path or name."""
    return asked.found_in(f"{passage.path}\n{passage.title}\n{passage.text}")


def _said_by_words(passage: Passage, asked: AskedWords) -> str:
    shared = words_shared(passage, asked)[:_MOST_WORDS]
    if not shared:
        return gettext("Similar in meaning to the question")
    words = ", ".join(f"“{word}”" for word in shared)
    return gettext("Contains %(words)s") % {"words": words}


def _forms(words: Iterable[str]) -> tuple[frozenset[str], ...]:
    return tuple(read_question(word).stems for word in words)
