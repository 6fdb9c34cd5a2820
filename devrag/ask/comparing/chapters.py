"""What differs between two documents, chapter by chapter: pure.

Chapters belong together by their headings. Sentences that differ in spaces, width or
upper and lower case only are the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devrag.ask.quotations import plain_words
from devrag.ask.whole_sections import headings

_BLANK = re.compile(r"[\s`*_\\]+")
_ENDS = re.compile(r"(?<=[。！？])|(?<=[.!?])\s+")
_RULE = re.compile(r"[\s|:-]*$")
_ANCHOR = re.compile(r"\s*\{#[\w-]*\}\s*$")
# Of the chapters of the shorter one, so many have editions of a document in common.
_SHARED = 0.3
_LEAST = 4  # characters of a sentence that says something


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its line, from 1, or a line of code."""

    line: int
    text: str
    is_code: bool = False

    @property
    def key(self) -> str:
        folded = unicodedata.normalize("NFKC", self.text).casefold()
        return _BLANK.sub("", folded)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading with the sentences up to the next one. lines: first and last."""

    title: str
    lines: tuple[int, int]
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Changed:
    """A chapter of both, with the sentences that only one has."""

    one: Chapter
    other: Chapter
    only_one: tuple[Sentence, ...]
    only_other: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """Chapters that only one document has, and those whose text differs."""

    only_one: tuple[Chapter, ...]
    only_other: tuple[Chapter, ...]
    changed: tuple[Changed, ...]
    same: int

    @property
    def are_editions(self) -> bool:
        """Whether the documents are built alike, so that chapters can be compared."""
        shared = self.same + len(self.changed)
        fewest = min(len(self.only_one), len(self.only_other)) + shared
        return shared >= _SHARED * fewest


def read_chapters(text: str) -> list[Chapter]:
    """Return the chapters of Markdown or reST in their order."""
    heads = list(headings(text).items())
    lines = text.split("\n")
    ends = [start for start, _ in heads[1:]] + [len(lines) + 1]
    return [
        Chapter(
            _ANCHOR.sub("", title),
            (start, max(start, end - 1)),
            tuple(_sentences(lines, start, end)),
        )
        for (start, title), end in zip(heads, ends, strict=False)
    ]


def compare_chapters(one: Sequence[Chapter], other: Sequence[Chapter]) -> Difference:
    """Return what differs; of chapters with the same heading the first each."""
    ours, theirs = _by_title(one), _by_title(other)
    pairs = [(ours[key], theirs[key]) for key in ours if key in theirs]
    changed = [each for each in (_compare(*pair) for pair in pairs) if each]
    return Difference(
        only_one=tuple(ours[key] for key in ours if key not in theirs),
        only_other=tuple(theirs[key] for key in theirs if key not in ours),
        changed=tuple(changed),
        same=len(pairs) - len(changed),
    )


def _compare(one: Chapter, other: Chapter) -> Changed | None:
    ours = {each.key for each in one.sentences}
    theirs = {each.key for each in other.sentences}
    if ours == theirs:
        return None
    return Changed(
        one,
        other,
        tuple(each for each in one.sentences if each.key not in theirs),
        tuple(each for each in other.sentences if each.key not in ours),
    )


def _by_title(chapters: Sequence[Chapter]) -> dict[str, Chapter]:
    found: dict[str, Chapter] = {}
    for each in chapters:
        found.setdefault(_BLANK.sub("", each.title).casefold(), each)
    return found


def _sentences(lines: Sequence[str], start: int, end: int) -> Iterator[Sentence]:
    """Yield the sentences below a heading; code and rows of tables line by line."""
    is_code = False
    for number in range(start + 1, end):
        line = lines[number - 1]
        if line.lstrip().startswith(("```", "~~~")):
            is_code = not is_code
        elif _RULE.match(line) or line.lstrip().startswith(":::"):
            continue
        elif is_code:
            yield Sentence(number, line.strip(), is_code=True)
        else:
            for part in _ENDS.split(plain_words(line.strip()).lstrip("•-* ")):
                if len(part.strip()) >= _LEAST:
                    yield Sentence(number, part.strip())
