"""Which concepts of a product its example programs show, as their titles name them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.example_programs import ExampleProgram
from devrag.wiki.analysis.prose import upper_first
from devrag.wiki.analysis.topics.assignment import words_of
from devrag.wiki.analysis.topics.words import GENERAL_WORDS

_OF_NO_CONCEPT = {"user", "data", "simple", "multiple", "example", "sample", "demo"}
_OF_NO_CONCEPT |= {"application", "basic", "advanced", "complex", "custom"}
_FEWEST = 2  # programs of a concept
_WORD = re.compile(r"[^\W\d_]{3,}")
_DOING = re.compile(r"^\W*\w+ing\b")
_LONGEST_TITLE = 9  # words
_MOST_SHARE = 0.6  # a word of nearly all programs tells none apart
_ENDINGS = 2  # letters by which forms of one word differ: route, router


@dataclass(frozen=True, slots=True)
class Concept:
    """Programs on one concept. title: '' of those that share none with others."""

    title: str
    programs: tuple[ExampleProgram, ...]


def concepts_of(
    analysis: Analysis, programs: Sequence[ExampleProgram]
) -> list[Concept]:
    """Return the programs by concept, the concept of most programs first.

    A concept is a word of the product's own code that several titles share.
    """
    known = _words_of_code(analysis)
    told = {p.path: _words(p) & known.keys() for p in programs}
    every = Counter(word for words in told.values() for word in words)
    left, found = list(programs), list[Concept]()
    while True:
        counts = Counter(word for p in left for word in told[p.path])
        shared = {
            word: [p for p in left if _has(told[p.path], word)]
            for word in counts
            if _is_concept(analysis, word)
        }
        best = max(
            shared, key=lambda w: (len(shared[w]), every[w], known[w], w), default=None
        )
        if best is None or len(shared[best]) < _FEWEST:
            break
        chosen = shared[best]
        if len(chosen) > max(_FEWEST, _MOST_SHARE * len(programs)):
            told = {
                path: {w for w in words if not _is_form(w, best)}
                for path, words in told.items()
            }
            continue
        found.append(Concept(_title(best, chosen), tuple(chosen)))
        left = [p for p in left if p not in chosen]
    return [*found, *([Concept("", tuple(left))] if left else [])]


def _is_concept(analysis: Analysis, word: str) -> bool:
    is_telling = word not in GENERAL_WORDS | _OF_NO_CONCEPT
    return is_telling and not _has(words_of(analysis.survey.product), word)


def _words(program: ExampleProgram) -> set[str]:
    name = program.path.rpartition("/")[2].partition(".")[0]
    return set(words_of(name.replace("-", " "), _matter(program)))


def _matter(program: ExampleProgram) -> str:
    """Return a program's title without what is done: `Working with cookies`."""
    said = program.said.text if program.said else ""
    return _DOING.sub("", said) if len(said.split()) <= _LONGEST_TITLE else ""


def _words_of_code(analysis: Analysis) -> Counter[str]:
    """Return the words of the names in the product's code, and of what it says."""
    found = Counter[str]()
    for file in analysis.with_role("code"):
        for symbol in analysis.symbols_of.get(file.id, ()):
            found += words_of(symbol.name, symbol.docstring)
    return found


def _has(words: Iterable[str], word: str) -> bool:
    return any(_is_form(each, word) for each in words)


def _is_form(one: str, other: str) -> bool:
    """Return whether two stems are forms of one word."""
    short, long = sorted((one, other), key=len)
    is_near = len(short) > _ENDINGS + 1 and len(long) - len(short) <= _ENDINGS
    return one == other or (is_near and long.startswith(short))


def _title(stem: str, programs: Iterable[ExampleProgram]) -> str:
    """Return a concept as the titles of its programs write it most often."""
    forms = Counter(
        word if word.isupper() else word.lower()
        for program in programs
        for text in (_matter(program), program.path)
        for word in _WORD.findall(text)
        if _has(words_of(word), stem)
    )
    return upper_first(max(forms, key=lambda w: (forms[w], len(w), w), default=stem))
