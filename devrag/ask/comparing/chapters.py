"""What differs between two documents, chapter by chapter: pure.

Chapters belong together by their headings; of a heading that a document repeats, such
as Parameters, the one above it counts, too. Sentences that differ in spaces, width or
upper and lower case only are the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
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
class Shared:
    """A chapter of both, with the sentences that only one has."""

    one: Chapter
    other: Chapter
    only_one: tuple[Sentence, ...]
    only_other: tuple[Sentence, ...]
    is_changed: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """Chapters that only one document has, and those of both: changed or not."""

    only_one: tuple[Chapter, ...]
    only_other: tuple[Chapter, ...]
    changed: tuple[Shared, ...]
    same: tuple[Shared, ...]

    @property
    def are_editions(self) -> bool:
        """Whether the documents are built alike, so that chapters can be compared."""
        shared = len(self.same) + len(self.changed)
        fewest = min(len(self.only_one), len(self.only_other)) + shared
        return shared >= _SHARED * fewest

    def about(self, one: Collection[Chapter], other: Collection[Chapter]) -> Difference:
        """Return what concerns some chapters of either document."""
        ours, theirs = ({each.lines for each in own} for own in (one, other))

        def is_meant(shared: Shared) -> bool:
            return shared.one.lines in ours or shared.other.lines in theirs

        return Difference(
            only_one=tuple(each for each in self.only_one if each.lines in ours),
            only_other=tuple(each for each in self.only_other if each.lines in theirs),
            changed=tuple(filter(is_meant, self.changed)),
            same=tuple(filter(is_meant, self.same)),
        )


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
    """Return what differs."""
    repeated = _repeated(one) | _repeated(other)
    ours, theirs = _by_heading(one, repeated), _by_heading(other, repeated)
    shared = [_compare(ours[key], theirs[key]) for key in ours if key in theirs]
    return Difference(
        only_one=tuple(ours[key] for key in ours if key not in theirs),
        only_other=tuple(theirs[key] for key in theirs if key not in ours),
        changed=tuple(each for each in shared if each.is_changed),
        same=tuple(each for each in shared if not each.is_changed),
    )


def _compare(one: Chapter, other: Chapter) -> Shared:
    ours = {each.key for each in one.sentences}
    theirs = {each.key for each in other.sentences}
    return Shared(
        one,
        other,
        tuple(each for each in one.sentences if each.key not in theirs),
        tuple(each for each in other.sentences if each.key not in ours),
        is_changed=ours != theirs,
    )


def _repeated(chapters: Sequence[Chapter]) -> set[str]:
    counts = Counter(_folded(each.title) for each in chapters)
    return {title for title, count in counts.items() if count > 1}


def _by_heading(
    chapters: Sequence[Chapter], repeated: Collection[str]
) -> dict[tuple[str, str, int], Chapter]:
    """Return chapters by the last heading that is there once, their own, a number."""
    found: dict[tuple[str, str, int], Chapter] = {}
    counts: Counter[tuple[str, str]] = Counter()
    above = ""
    for each in chapters:
        title = _folded(each.title)
        above = above if title in repeated else title
        counts[above, title] += 1
        found[above, title, counts[above, title]] = each
    return found


def _folded(title: str) -> str:
    return _BLANK.sub("", title).casefold()


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
