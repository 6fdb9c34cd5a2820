"""Titles for topics that are files: the name that their authors gave them, in words.

`core` and `types` tell nothing: these are called by a heading about them, or by the
types in them that the documents talk about most.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.material import TopicInput
from devrag.wiki.analysis.topics.naming_terms import TYPE_KINDS, TermReader
from devrag.wiki.analysis.topics.subjects import Subject
from devrag.wiki.analysis.topics.titles import (
    Spelling,
    is_title,
    plain_heading,
    stems_of,
)
from devrag.wiki.analysis.topics.words import is_telling, words_in

_UTILITIES = {"util", "utils", "utility", "helper", "helpers"}
_FAMILY, _MAIN_SHARE = 3, 0.6
_NAMES, _LONGEST = 3, 42
_ABOUT = 0.3  # of what a heading is about, the file's share
_HEADING_WEIGHT = 5
_WORD = re.compile(r"[A-Za-z]+")


class ModuleTitles:
    """Offers titles for topics that are files of a small product."""

    def __init__(
        self, found: TopicInput, spelling: Spelling, reader: TermReader
    ) -> None:
        self._found = found
        self._spelling = spelling
        self._reader = reader
        self._used = _words_of_documents(found)

    def titles(self, subject: Subject) -> Iterator[str]:
        """Yield the titles that a topic can have, the best first."""
        main = _main_file(subject)
        if main is None:
            return
        stem = main.stem.lower()
        lines = sum(file.lines for file in subject.files)
        if main.lines < _MAIN_SHARE * lines:
            yield from self._of_family(subject.files)
        if stem in _UTILITIES:
            yield "Utilities"
        elif any(map(is_telling, words_in(stem))):
            yield self._spelling.name(words_in(main.stem))
        yield from self._headings_about(main)
        yield from self._main_types(main)

    def _of_family(self, files: Sequence[SurveyFile]) -> Iterator[str]:
        """Yield `Bash, zsh and other completions` of files of such names."""
        ranked = sorted(files, key=lambda f: (-f.lines, f.path))
        words = Counter(w for file in ranked for w in set(words_in(file.stem)))
        shared = [w for w, n in words.items() if n >= _FAMILY and is_telling(w)]
        if not shared:
            return
        word = max(shared, key=lambda w: (words[w], w))
        kinds = [
            each
            for file in ranked
            for each in words_in(file.stem)
            if each != word and is_telling(each) and word in words_in(file.stem)
        ]
        yield from self._as_documented(kinds, word)
        spelt = [self._spelling.name([kind]) for kind in dict.fromkeys(kinds)]
        listed = [spelt[0], *map(self._inside, spelt[1:])] if spelt else []
        if len(listed) > 1:
            whole = f"{', '.join(listed[:-1])} and {listed[-1]} {word}"
            short = f"{listed[0]}, {listed[1]} and other {word}"
            yield whole if len(whole) <= _LONGEST else short

    def _as_documented(self, kinds: Sequence[str], word: str) -> Iterator[str]:
        """Yield `Shell completions` where a document on most of them is called so."""
        every = dict.fromkeys(kinds)
        for numbers in self._found.whole:
            first = self._found.documents[numbers[0]]
            title = stems_of(first.above[0] if first.above else first.title)
            headings = (self._found.documents[n].title for n in numbers)
            inside = stems_of(" ".join(headings))
            told = sum(stems_of(kind) <= inside for kind in every)
            if 2 * told <= len(every):
                continue
            for kind in every:
                if stems_of(f"{kind} {word}") <= title:
                    yield self._spelling.name([kind, word])

    def _inside(self, name: str) -> str:
        return name if name[1:] != name[1:].lower() else name.lower()

    def _headings_about(self, main: SurveyFile) -> Iterator[str]:
        """Yield headings that have the word of a file and are about it."""
        stem = stems_of(main.stem)
        for title, shares in self._headings():
            text = plain_heading(title)
            is_about = shares.get(main.id, 0.0) >= _ABOUT
            is_name = is_title(text) and len(text.split()) > 1
            if stem and stem <= stems_of(text) and is_about and is_name:
                yield self._in_sentence_case(text)

    def _headings(self) -> Iterator[tuple[str, Mapping[int, float]]]:
        """Yield the titles of documents, then those of sections in them."""
        found = self._found
        for numbers, shares in zip(found.whole, found.mentions_of_whole, strict=True):
            first = found.documents[numbers[0]]
            yield first.above[0] if first.above else first.title, shares
        for number, section in enumerate(found.documents):
            yield section.title, found.mentions[number]

    def _in_sentence_case(self, heading: str) -> str:
        first, *rest = heading.split()
        kept = (
            word
            if word.lower() in self._found.ignored or not word.istitle()
            else word.lower()
            for word in rest
        )
        return " ".join([first, *kept])

    def _main_types(self, main: SurveyFile) -> Iterator[str]:
        """Yield the types of a file that documents talk about, as a list."""
        own = [
            symbol.name
            for symbol in self._found.symbols.get(main.id, ())
            if symbol.kind in TYPE_KINDS and symbol.is_public
            if self._reader.is_outer(symbol) and len(words_in(symbol.name)) == 1
        ]
        told = {name: self._uses(name.lower()) for name in own}
        names = sorted((n for n in told if told[n]), key=lambda n: (-told[n], n))
        plurals = [_plural(name.lower()) for name in names[:_NAMES]]
        while len(plurals) > 1:
            text = f"{', '.join(plurals[:-1])} and {plurals[-1]}"
            if len(text) <= _LONGEST:
                yield text[:1].upper() + text[1:]
                return
            plurals.pop()

    def _uses(self, word: str) -> int:
        return self._used[word] + self._used[_plural(word)]


def _main_file(subject: Subject) -> SurveyFile | None:
    """Return the largest file of a topic that is not private."""
    files = sorted(subject.files, key=lambda f: (f.name.startswith("_"), -f.lines))
    return files[0] if files else None


def _words_of_documents(found: TopicInput) -> Counter[str]:
    """Return how often documents use a word, in headings more."""
    used: Counter[str] = Counter()
    for section in found.documents:
        used.update(map(str.lower, _WORD.findall(found.prose(section))))
        for word in map(str.lower, _WORD.findall(section.title)):
            used[word] += _HEADING_WEIGHT
    return used


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"
