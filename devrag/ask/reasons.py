"""Why a passage is among the places of an answer that no model wrote."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

from django.utils.translation import gettext

from devrag.ask.asking_words import asks_only
from devrag.ask.directives import without_directives
from devrag.ask.question_kind import CONDITION, AnswerKind, answer_kinds
from devrag.ask.quotations import plain_words
from devrag.ask.types import Passage
from devrag.core.text import shorten
from devrag.search.api import read_question, spelt_out
from devrag.sources.api import text_of_document

_QUOTED_CHARACTERS = 200
_SENTENCE = re.compile(r"(?:[^.!?。！？•]|[.!?](?!\s|\Z))+[.!?。！？]*")
_QUOTED_KINDS = frozenset({"definition", "test", "configuration", "fact", "data"})
_COMMENT = re.compile(r"\s*(?://+!?|#+(?=\s)|/\*+!?|\*+(?=[\s/])|--(?=\s)|<!--)\s*")
_QUOTES = re.compile(r"\"\"\"|'''")
# What a sentence is worth more that says when, to who asks when.
_CONDITION = 0.5
# What a word is worth that only asks, or is a part of a name.
_OTHER = 0.1
_LEAST_LINE = 8  # characters: a brace or a word answers nothing
# Of a question's words, so many in its heading make a section an answer.
_LEAST_SHARE = 2 / 3


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word of a question that matters. start, end: where it stands there.

    Of an inflected word that is what it has in common with its dictionary form.
    forms: the stems that it may have, its own or those of its translations.
    """

    start: int
    end: int
    text: str
    forms: tuple[frozenset[str], ...]

    def is_in(self, stems: frozenset[str]) -> bool:
        return any(form and form <= stems for form in self.forms)


@dataclass(frozen=True, slots=True)
class QuotedLine:
    """A line of a file; of a comment without its marks."""

    number: int
    text: str
    is_code: bool


@dataclass(frozen=True)
class AskedWords:
    """The words of a question that matter, in its order. kinds: of answers it wants."""

    words: tuple[AskedWord, ...] = ()
    kinds: frozenset[AnswerKind] = frozenset()

    def found_in(self, text: str) -> tuple[str, ...]:
        """Return the words that a text has; parts of a Japanese word as the word."""
        there = read_question(text).stems
        found: list[str] = []
        end = 0
        for word in self.words:
            is_told = word.start < word.end <= end
            if is_told or not word.is_in(there):
                continue
            is_whole = word.end - word.start == len(word.text)
            if found and word.start == end and is_whole and not word.text.isascii():
                found[-1] += word.text
            else:
                found.append(word.text)
            end = max(end, word.end)
        return tuple(found)

    def are_named_in(self, heading: str) -> bool:
        """Return whether a heading is about most of what is asked."""
        there = read_question(heading).stems
        found = sum(word.is_in(there) for word in self.words)
        return found > 1 and found >= _LEAST_SHARE * len(self.words)

    def without(self, names: Iterable[str]) -> AskedWords:
        """Return the words that name no product or source: all is about these.

        All of them where there are no others.
        """
        own = {name.lower() for name in names}
        kept = replace(self, words=tuple(w for w in self.words if w.text not in own))
        return kept if kept.telling else self

    @cached_property
    def important(self) -> tuple[AskedWord, ...]:
        """Return the words that say what the question is about."""
        return tuple(word for word in self.words if not asks_only(word.text))

    @cached_property
    def telling(self) -> tuple[AskedWord, ...]:
        """Return those that matter without parts of names: `run` in `preRun`."""
        found: list[AskedWord] = []
        end = 0
        # Who holds another comes before it, and those of one place stand together.
        for (_, last), same in groupby(self.important, key=lambda w: (w.start, w.end)):
            found += same if last > end else ()
            end = max(end, last)
        return tuple(found)

    @cached_property
    def _others(self) -> tuple[AskedWord, ...]:
        telling = set(self.telling)
        return tuple(word for word in self.words if word not in telling)

    def count_in(self, text: str) -> float:
        """Return how many of the telling words a text has; others count little."""
        there = read_question(text).stems
        found = sum(word.is_in(there) for word in self.telling)
        others = sum(word.is_in(there) for word in self._others)
        return found + _OTHER * others

    def are_mostly_in(self, text: str) -> bool:
        """Return whether a text has most of the words that matter, of two both."""
        words, there = self.important, read_question(text).stems
        found = sum(word.is_in(there) for word in words)
        return found >= _LEAST_SHARE * len(words)


def read_words(question: str) -> AskedWords:
    """Return the words that matter in a question."""
    lowered = unicodedata.normalize("NFKC", question).lower()
    words = [
        AskedWord(*_place(lowered, word), word, _forms((word, *spelt_out(word))))
        for word in read_question(question).words
    ]
    words.sort(key=lambda each: (each.start, -each.end))
    return AskedWords(tuple(words), answer_kinds(question))


def _place(question: str, word: str) -> tuple[int, int]:
    """Return where a word begins and ends, its end aside where that is inflected."""
    for length in range(len(word), 0, -1):
        start = question.find(word[:length])
        if start >= 0:
            return start, start + length
    return len(question), len(question)


def reason_of(passage: Passage, asked: AskedWords) -> str:
    """Return what a passage is or says: never nothing."""
    if passage.kind == "documentation":
        return quote(passage, asked) or _best_sentence(passage, asked)
    return passage.why or _best_sentence(passage, asked)


def quote(passage: Passage, asked: AskedWords) -> str:
    """Return the words of documentation from the sentence with most asked words on.

    Where the quotation has that sentence anyway, it begins with the text.
    """
    bare = text_of_document(passage.text) if passage.document else passage.text
    text = plain_words(without_directives(bare), passage.title).lstrip("• ")
    best, start = 0.0, 0
    wants_condition = "condition" in asked.kinds
    for sentence in _SENTENCE.finditer(text):
        found = asked.count_in(sentence[0])
        if found and wants_condition and CONDITION.search(sentence[0]):
            found += _CONDITION
        if found > best:
            best, start = found, sentence.start()
            end = sentence.end()
    if not best or end <= _QUOTED_CHARACTERS:
        return shorten(text, _QUOTED_CHARACTERS)
    return "…" + shorten(text[start:].lstrip("• "), _QUOTED_CHARACTERS)


def best_line(passage: Passage, asked: AskedWords) -> QuotedLine | None:
    """Return the line with most words that name and reason lack; None without one.

    Comments are quoted only where the passage has no reason: else that is taken from
    them.
    """
    if passage.kind not in _QUOTED_KINDS:
        return None
    known = set(asked.found_in(f"{passage.title} {passage.why}"))
    best, found = (0, 0), None
    for line in _lines(passage):
        if line.is_code or not passage.why:
            words = set(asked.found_in(line.text))
            worth = len(words - known), len(words)
            if worth[0] and worth > best:
                best, found = worth, line
    return found


def signature_line(passage: Passage) -> QuotedLine | None:
    """Return the line that names a definition or test; None of other passages."""
    if not passage.title or passage.kind not in {"definition", "test"}:
        return None
    name = passage.title.rpartition(".")[2]
    code = [line for line in _lines(passage) if line.is_code]
    return next((line for line in code if name in line.text), None)


def _lines(passage: Passage) -> Iterator[QuotedLine]:
    """Yield the lines that are long enough to say something."""
    is_within = False
    for number, line in enumerate(passage.text.split("\n"), passage.start_line):
        is_text = is_within or _COMMENT.match(line) is not None
        if len(_QUOTES.findall(line)) % 2:
            is_within, is_text = not is_within, True
        text = _COMMENT.sub("", line) if is_text else line
        text = text.strip(" \t,;" if not is_text else " \t*/\"'")
        if len(text) >= _LEAST_LINE:
            yield QuotedLine(number, text, is_code=not is_text)


def words_shared(passage: Passage, asked: AskedWords) -> tuple[str, ...]:
    """Return the words of the question that a passage has, or its path or name."""
    return asked.found_in(f"{passage.path}\n{passage.title}\n{passage.text}")


def _best_sentence(passage: Passage, asked: AskedWords) -> str:
    """Return the line with most asked words, else that nothing but meaning tells."""
    lines = list(_lines(passage))
    found = [len(asked.found_in(line.text)) for line in lines]
    if any(found):
        return shorten(lines[found.index(max(found))].text, _QUOTED_CHARACTERS)
    if words_shared(passage, asked) and lines:  # its name or path has them
        return shorten(lines[0].text, _QUOTED_CHARACTERS)
    return gettext("Similar in meaning to the question")


def _forms(words: Iterable[str]) -> tuple[frozenset[str], ...]:
    return tuple(read_question(word).stems for word in words)
