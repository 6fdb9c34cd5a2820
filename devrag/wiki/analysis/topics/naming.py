"""Gives each topic a title of its own.

It comes from a heading of the documentation about the topic, from the package that the
topic is, or from the terms in names that the other topics do not have.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from devrag.parsing.tokens import text_language
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.material import TopicInput
from devrag.wiki.analysis.topics.module_titles import ModuleTitles
from devrag.wiki.analysis.topics.naming_terms import TYPE_KINDS, TermReader
from devrag.wiki.analysis.topics.starting import starting_files
from devrag.wiki.analysis.topics.subjects import (
    Subject,
    folders_around,
    lines_of_folders,
    share_of_shared,
    subject_of,
)
from devrag.wiki.analysis.topics.titles import (
    Spelling,
    clarity_of,
    clause_of,
    distinctive_terms,
    fit_of_terms,
    is_title,
    is_vague,
    plain_heading,
    support_of,
    terms_of_name,
    words_of_texts,
)
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.analysis.topics.words import (
    FOLDER_TITLES,
    VAGUE_WORDS,
    action_of,
    is_abbreviation,
    is_telling,
    split_name,
    words_in,
)

_FULL_SHARE = 0.6  # of a topic: one term for so much needs no second one
# A heading names a topic that it covers, in words which the code of the topic bears.
_LEAST_COVER, _LEAST_FOCUS = 0.5, 0.3
_LEAST_SUPPORT, _LEAST_BORNE, _ABOUT_ALL = 0.3, 0.1, 0.8
_LEAST_OVERLAP = 0.4
_SAID_BONUS, _DEPTH_BONUS = 0.15, 0.01
_SUBJECT_BONUS = 0.5  # of a heading about all of the topic and nothing else
_FOREIGN_SUPPORT = 0.5  # of a heading whose script no name is in
_FRONTS = {"__init__", "mod", "lib", "index", "doc", "package-info"}
_SHARED_SCORE, _FACT_SCORE = 0.25, 0.3
_MAIN_SHARE = 0.4  # of a topic, what one file has that can name it
_STRANGE, _VAGUE_CLARITY, _VAGUE_BONUS = 0.4, 0.6, 1.1
_PAIR_SHARE = 0.6
_BY_FILE = 9.0  # of a title after a file, before all others
_LEAST_OF_BEST, _LEAST_BY_VAGUE = 0.35, 0.14
_MOST_WORDS = 5  # of a type's name
_TYPES_JOINED, _TYPES_SCORE = 3, 0.45
_STEM_SHARE, _LEAST_STEMS, _STEMS_SCORE = 0.08, 0.5, 0.4
_READ_OF_DOCSTRING = 300  # characters
_LONGEST_JOINED = 42
_SAYS_NOTHING = {
    *("helper", "helpers", "utility", "utilities", "module", "modules", "package"),
    *("root", "method", "methods", "definition", "definitions", "class", "classes"),
}
_PACKAGE = re.compile(r"^\W*package \w+", re.IGNORECASE)
_SHARED_STEMS = dict.fromkeys(("util", "utils", "utility"), "utilities")
_START_TITLE = "Main program"
# Pages of their own, which cover the whole product.
TITLES_OF_PAGES = {
    *("architecture", "interfaces", "data model", "configuration", "build and run"),
    *("testing", "tests", "operations and security", "documentation", "glossary"),
}
_BY_FACT = {
    "command": "Command line",
    "route": "HTTP API",
    "task": "Background tasks",
    "model": "Models",
    "setting": "Settings",
}
_TELLING_FACTS = ("command", "route", "task")


def name_topics(
    found: TopicInput, topics: Sequence[Topic], *, by_file: bool = False
) -> list[Topic]:
    """Return the topics with a title each that no other has; given ones are kept.

    by_file: each is a file and what belongs to it, and called after the file.
    """
    return _Naming(found, topics, by_file=by_file).named()


class _Naming:
    def __init__(
        self, found: TopicInput, topics: Sequence[Topic], *, by_file: bool
    ) -> None:
        self._found = found
        self._reader = TermReader(found)
        self._subjects = [subject_of(found, n, topics) for n in range(len(topics))]
        texts = [found.prose(section) for section in found.documents]
        self._types = {
            symbol.name
            for file in found.files
            for symbol in found.symbols.get(file.id, ())
            if symbol.kind in TYPE_KINDS
        }
        self._is_japanese = text_language("\n".join(texts)) == "ja"
        self._spelling = Spelling(texts, self._types)
        self._known = words_of_texts([*texts, *_docstrings(found)])
        self._folders = lines_of_folders(found.files)
        self._starting = starting_files(found)
        self._terms = list(map(self._reader.of_subject, self._subjects))
        of_files = ModuleTitles(found, self._spelling, self._reader)
        self._of_files = of_files if by_file else None

    def named(self) -> list[Topic]:
        taken = {s.topic.title.casefold() for s in self._subjects if s.topic.title}
        taken |= TITLES_OF_PAGES
        titles = {}
        # The clearest first: what two could be called, the better one is.
        offers = {
            n: self._offers(n)
            for n, s in enumerate(self._subjects)
            if not s.topic.title
        }
        for place in sorted(offers, key=lambda n: (-offers[n][0][0], n)):
            named = (text for _, text in offers[place])
            title = next(t for t in named if t.casefold() not in taken)
            taken.add(title.casefold())
            titles[place] = title
        return [
            replace(s.topic, title=titles.get(n, s.topic.title))
            for n, s in enumerate(self._subjects)
        ]

    def _offers(self, place: int) -> list[tuple[float, str]]:
        """Return titles with their scores, the best first; the last are always free."""
        subject = self._subjects[place]
        others = [self._terms[n] for n in self._competitors(place)]
        fit = fit_of_terms(self._terms[place], others, self._found.ignored)
        said = list(self._by_words_of_files(subject, fit))
        is_foreign = any(not text.isascii() for _, text in said)
        offers = [
            *self._by_headings(place, fit),
            *said,
            *self._by_facts(subject),
            *self._by_start(subject),
            *self._by_folder(subject),
            *self._by_types(subject),
            *self._by_main_types(subject),
            *self._by_stems(subject),
            *self._by_terms(place, fit, joins=not is_foreign),
        ]
        if self._of_files is not None:
            titles = self._of_files.titles(subject)
            offers += [(_BY_FILE - n, text) for n, text in enumerate(titles)]
        usable = [(s, t) for s, t in offers if s > 0 and self._is_own(t)]
        usable.sort(key=lambda offer: (-offer[0], offer[1]))
        return [*usable, *self._last(subject)]

    def _competitors(self, place: int) -> list[int]:
        """Return the topics beside one, and those beside the one that it is part of."""
        parent = self._subjects[place].topic.parent
        return [
            number
            for number, subject in enumerate(self._subjects)
            if number not in {place, parent} and subject.topic.parent in {None, parent}
        ]

    def _is_own(self, title: str) -> bool:
        """Return whether a title is more than the product's own name."""
        words = {word.lower() for word in split_name(title)}
        return not words <= self._found.ignored

    def _by_headings(
        self, place: int, fit: Mapping[str, float]
    ) -> Iterator[tuple[float, str]]:
        """Yield headings by how much of the topic they cover and how little else."""
        subject, rank = self._subjects[place], self._found.rank
        weight = {f.id: (1 + f.lines) * rank.get(f.id, 1.0) for f in subject.files}
        total = sum(weight.values()) or 1.0
        for heading, shares, is_whole in self._headings():
            focus = sum(share for file, share in shares.items() if file in weight)
            cover = sum(weight.get(file, 0.0) for file in shares) / total
            text = self._in_words(plain_heading(heading))
            if cover < _LEAST_COVER or focus < _LEAST_FOCUS or not is_title(text):
                continue
            is_foreign = not any(c.isascii() and c.isalpha() for c in text)
            support = _FOREIGN_SUPPORT if is_foreign else support_of(text, fit)
            is_about = is_whole and min(focus, cover) >= _ABOUT_ALL
            if not (is_foreign or self._is_borne(place, text, is_any=is_about)):
                continue
            if support < _LEAST_SUPPORT and not is_about:
                continue
            about = support * (1 + focus * math.sqrt(cover))
            yield about + _SUBJECT_BONUS * focus * cover, text

    def _is_borne(self, place: int, heading: str, *, is_any: bool) -> bool:
        """Return whether names in a topic have the words of a heading.

        is_any: one of them is enough.
        """
        terms = self._terms[place].items()
        borne = dict.fromkeys((t for t, s in terms if s >= _LEAST_BORNE), 1.0)
        words = [w for w in heading.split() if support_of(w, {w.lower(): 1.0})]
        found = [support_of(word, borne) > 0 for word in words]
        return any(found) if is_any else all(found)

    def _called(self, file: SurveyFile) -> str:
        """Return what a file calls itself: `JWT` of `JWT Helper for Hono.`, else ''."""
        text = clause_of(self._found.said(file.id))
        if not text.isascii():
            return text if self._is_japanese else ""
        words = text.split()
        if len(words) > 2 and words[-2] == "for" and not self._is_own(words[-1]):
            words = words[:-2]
        while len(words) > 1 and words[-1].lower() in _SAYS_NOTHING:
            words = words[:-1]
        text = self._spelling.title(words[0]) if len(words) == 1 else " ".join(words)
        return text[:1].upper() + text[1:]

    def _in_words(self, heading: str) -> str:
        """Return a heading that is the name of a type, or a command, in words."""
        if heading in self._types:
            return self._spelling.title(" ".join(words_in(heading)))
        word = heading.lower()
        noun = FOLDER_TITLES.get(word, action_of(word))
        return heading if noun == word else noun[:1].upper() + noun[1:]

    def _headings(self) -> Iterator[tuple[str, Mapping[int, float], bool]]:
        """Yield headings with what is told below them; the last is of a whole file."""
        found = self._found
        for number, section in enumerate(found.documents):
            yield section.title, found.mentions[number], False
        for numbers, shares in zip(found.whole, found.mentions_of_whole, strict=True):
            first = found.documents[numbers[0]]
            title = first.above[0] if first.above else first.title
            yield title, shares, True

    def _by_folder(self, subject: Subject) -> Iterator[tuple[float, str]]:
        """Yield the names of directories that the topic has most of and little else."""
        for overlap, (source, folder) in self._overlaps(subject):
            name = folder.rpartition("/")[2].lower()
            terms = terms_of_name(folder.rpartition("/")[2]) - self._reader.everywhere
            deep = overlap + _DEPTH_BONUS * folder.count("/")
            if name in FOLDER_TITLES:
                yield deep, FOLDER_TITLES[name]
            if terms:
                longest = max(terms, key=lambda t: (t.count(" "), len(t), t))
                text = self._spelling.title(longest)
                clarity = clarity_of(text, self._known)
                clarity *= _VAGUE_CLARITY if text.lower() in VAGUE_WORDS else 1.0
                yield deep * clarity, text if clarity > _STRANGE else f"{text} package"
            front = self._front(source, folder)
            if front and (text := self._called(front)):
                yield deep + _SAID_BONUS, text

        if share_of_shared(subject) >= _LEAST_OVERLAP:
            yield _SHARED_SCORE, "Utilities"

    def _overlaps(self, subject: Subject) -> list[tuple[float, tuple[str, str]]]:
        inside: dict[tuple[str, str], int] = defaultdict(int)
        for file in subject.files:
            for folder in folders_around(file):
                inside[folder] += 1 + file.lines
        own = sum(1 + file.lines for file in subject.files)
        found = []
        for folder, lines in inside.items():
            overlap = lines / (own + self._folders[folder] - lines)
            if overlap >= _LEAST_OVERLAP and folder[1]:
                found.append((overlap, folder))
        return sorted(found, key=lambda each: (-each[0], each[1]))

    def _front(self, source: str, folder: str) -> SurveyFile | None:
        """Return the file that speaks for a directory."""
        for file in self._found.files:
            is_here = (file.source, file.directory) == (source, folder)
            if is_here and file.stem in _FRONTS:
                return file
        return None

    def _by_words_of_files(
        self, subject: Subject, fit: Mapping[str, float]
    ) -> Iterator[tuple[float, str]]:
        """Yield what the topic's main file calls itself, where that fits the topic."""
        main = max(
            subject.files, key=lambda f: (subject.weights[f.id], f.path), default=None
        )
        if main is None or not (text := self._called(main)):
            return
        support = support_of(text, fit) if text.isascii() else _FOREIGN_SUPPORT
        yield support * (1 + subject.weights[main.id] / 2), text

    def _by_terms(
        self, place: int, fit: Mapping[str, float], *, joins: bool
    ) -> Iterator[tuple[float, str]]:
        """Yield the terms that only this topic bears, alone and joined as a list."""
        spelt = {t: self._spelling.title(t) for t in fit if not self._is_product(t)}
        clarity = {t: clarity_of(text, self._known) for t, text in spelt.items()}
        clear = {term: fit[term] * share for term, share in clarity.items()}
        best = distinctive_terms(clear)
        for term in best:
            vague = _VAGUE_CLARITY if is_vague(spelt[term]) else 1.0
            yield clear[term] * vague, spelt[term]
        if not best or not joins:
            return
        first = best[0]
        least = _LEAST_BY_VAGUE if is_vague(spelt[first]) else _LEAST_OF_BEST
        told = [term for term in best[1:] if clear[term] >= least * clear[first]]
        told = [t for n, t in enumerate(told) if not _is_spelt([first, *told[:n]], t)]
        told = [term for term in told if clarity[term] > _STRANGE]
        told = [term for term in told if not is_vague(spelt[term])] or told
        if told:
            paired = _paired([first, *told], clear)
            is_clear = self._terms[place][first] >= _FULL_SHARE and paired[0] == first
            bonus = _VAGUE_BONUS if is_vague(spelt[first]) else 1.01
            yield clear[first] * (0.99 if is_clear else bonus), self._joined(paired)

    def _is_product(self, term: str) -> bool:
        return bool(self._found.ignored & set(term.split()))

    def _joined(self, terms: Sequence[str]) -> str:
        """Return as many terms as a title holds: `Lexer, scanner and tokens`."""
        first, *others = terms
        told = [self._spelling.title(first)]
        told += [self._spelling.title(term, is_first=False) for term in others]
        while len(told) > 1:
            text = f"{', '.join(told[:-1])} and {told[-1]}"
            if len(text) <= _LONGEST_JOINED:
                return text
            told.pop()
        return told[0]

    def _by_types(self, subject: Subject) -> Iterator[tuple[float, str]]:
        """Yield the types of several words that give their files their names."""
        for file in subject.files:
            if (weight := subject.weights[file.id]) < _MAIN_SHARE:
                continue
            stem = "".join(words_in(file.stem))
            for symbol in self._found.symbols.get(file.id, ()):
                words = words_in(symbol.name)
                is_type = symbol.kind in TYPE_KINDS and self._reader.is_outer(symbol)
                is_some = 1 < len(words) <= _MOST_WORDS
                if is_type and is_some and stem in _names_of_file(words):
                    yield weight, self._spelling.title(" ".join(words))

    def _by_main_types(self, subject: Subject) -> Iterator[tuple[float, str]]:
        """Yield the largest public types of a main file whose name tells nothing."""
        for file in subject.files:
            if subject.weights[file.id] < _FULL_SHARE or is_telling(file.stem.lower()):
                continue
            own = [
                symbol
                for symbol in self._found.symbols.get(file.id, ())
                if symbol.kind in TYPE_KINDS and symbol.is_public
                if self._reader.is_outer(symbol)
            ]
            own.sort(key=lambda s: (s.start_line - s.end_line, s.start_line))
            names = [" ".join(words_in(s.name)) for s in own[:_TYPES_JOINED]]
            if len(names) > 1 and " and " in (text := self._joined(names)):
                yield _TYPES_SCORE, text

    def _by_stems(self, subject: Subject) -> Iterator[tuple[float, str]]:
        """Yield the names of a topic's files that hold most of it, as a list."""
        by_weight = sorted(
            subject.files, key=lambda f: (-subject.weights[f.id], f.path)
        )
        shown = [f for f in by_weight if subject.weights[f.id] >= _STEM_SHARE]
        shown = [f for f in shown if self._is_own(f.stem) and f.stem not in _FRONTS]
        shown = shown[:_TYPES_JOINED]
        covered = sum(subject.weights[file.id] for file in shown)
        names = [_SHARED_STEMS.get(f.stem, " ".join(words_in(f.stem))) for f in shown]
        terms = list(dict.fromkeys(filter(None, names)))
        is_told = any(map(is_telling, " ".join(terms).split()))
        if covered >= _LEAST_STEMS and is_told and not self._overlaps(subject):
            text = self._joined(terms)
            yield _STEMS_SCORE * covered * clarity_of(text, self._known) ** 2, text

    def _by_facts(self, subject: Subject) -> Iterator[tuple[float, str]]:
        """Yield what most of a topic's code declares: commands, routes or tasks."""
        for kind in _TELLING_FACTS:
            declaring = {fact.file for fact in self._found.facts if fact.kind == kind}
            share = sum(subject.weights.get(file, 0.0) for file in declaring)
            if share >= _LEAST_OVERLAP:
                yield _FACT_SCORE, _BY_FACT[kind]

    def _by_start(self, subject: Subject) -> Iterator[tuple[float, str]]:
        """Yield what a topic is that is hardly more than the file that starts it."""
        declaring = {fact.file for fact in self._found.facts if fact.kind == "command"}
        for file in subject.files:
            weight = subject.weights[file.id]
            if file.id in self._starting and weight >= _FULL_SHARE:
                is_told = file.id in declaring
                yield weight, _BY_FACT["command"] if is_told else _START_TITLE

    def _last(self, subject: Subject) -> Iterator[tuple[float, str]]:
        """Yield titles for what has no better one; the last ones are no one else's."""
        own = {file.id for file in subject.files}
        kinds = {fact.kind for fact in self._found.facts if fact.file in own}
        for kind, title in _BY_FACT.items():
            if kind in kinds:
                yield 0.0, title
        by_weight = sorted(
            subject.files, key=lambda f: (-subject.weights[f.id], f.path)
        )
        names = [file.stem for file in by_weight]
        names += [f"{f.directory.rpartition('/')[2]}/{f.stem}" for f in by_weight]
        stems = [" ".join(words_in(name)) for name in names]
        for stem in filter(self._is_own, filter(None, stems)):
            yield 0.0, self._spelling.title(stem)
        yield 0.0, "Core"
        for number in range(2, len(self._subjects) + 2):
            yield 0.0, f"Core, part {number}"


def _is_spelt(terms: Sequence[str], term: str) -> bool:
    """Return whether a term is one of others with other blanks."""
    return term.replace(" ", "") in {each.replace(" ", "") for each in terms}


def _names_of_file(words: Sequence[str]) -> set[str]:
    """Return what a file is called after a type: `OrderMgr` is in `order`, too."""
    whole, short = "".join(words), "".join(words[:-1])
    return {whole, short} if is_abbreviation(words[-1]) else {whole}


def _paired(terms: Sequence[str], fit: Mapping[str, float]) -> list[str]:
    """Return the terms, the first two as one where names have them so.

    `headers` and `secure` of `secure-headers` are `secure headers`.
    """
    one, other, *rest = terms
    pairs = [p for p in (f"{other} {one}", f"{one} {other}") if p in fit]
    is_usual = bool(pairs) and fit[pairs[0]] >= _PAIR_SHARE * fit[one]
    return [pairs[0], *rest] if is_usual else list(terms)


def _docstrings(found: TopicInput) -> Iterator[str]:
    for file in found.files:
        yield _PACKAGE.sub("", found.said(file.id))
        for symbol in found.symbols.get(file.id, ()):
            yield symbol.docstring[:_READ_OF_DOCSTRING]
