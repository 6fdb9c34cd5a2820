"""Compares two editions of a document, chapter by chapter: pure, in linear time.

A chapter is what stands directly below a heading. What it says are its sentences, rows
and lines of code; their order and the blanks between words do not count.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.lead_ins import points_on
from devrag.wiki.analysis.passages import is_label
from devrag.wiki.analysis.prose import sentences
from devrag.wiki.analysis.topics.documents import is_formal

Likeness = Literal["same", "letters", "different"]
Key = tuple[str, ...]
_MOST_UNITS = 400  # of a chapter
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, a row or a line of code. block: the block that it is of."""

    text: str
    block: DocumentBlock
    start_line: int
    end_line: int

    @property
    def key(self) -> str:
        """Return what is compared: the text without blanks and, outside code, tags."""
        text = self.text if self.is_code else _TAG.sub("", self.text)
        return "".join(text.split()).rstrip("。.")

    @property
    def is_code(self) -> bool:
        """Return whether it is a line of a sample."""
        return self.block.kind == "code"


@dataclass(frozen=True, slots=True)
class ChapterDifference:
    """A chapter that both editions have. one, other: its sections there.

    likeness: `letters` where only capital letters differ. only_one, only_other: what
    it says in one of them, capital letters aside.
    """

    one: Section
    other: Section
    likeness: Likeness
    only_one: tuple[Unit, ...] = ()
    only_other: tuple[Unit, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two editions. chapters: those of both, in the order of the second."""

    chapters: tuple[ChapterDifference, ...]
    only_one: tuple[Section, ...]
    only_other: tuple[Section, ...]

    def like(self, likeness: Likeness) -> list[ChapterDifference]:
        """Return the chapters of both editions that are so much alike."""
        return [each for each in self.chapters if each.likeness == likeness]


def compare_editions(one: Sequence[Section], other: Sequence[Section]) -> Comparison:
    """Return how two editions differ; licences and the like are left aside."""
    before, after = dict(_keyed(one)), dict(_keyed(other))
    pairs = _pairs(before, after)
    chapters = tuple(_compare(before[pairs[k]], after[k]) for k in after if k in pairs)
    matched = set(pairs.values())
    return Comparison(
        chapters,
        only_one=tuple(s for key, s in before.items() if key not in matched),
        only_other=tuple(s for key, s in after.items() if key not in pairs),
    )


def _keyed(sections: Sequence[Section]) -> Iterator[tuple[Key, Section]]:
    """Yield the chapters that say something by the headings that they stand below.

    The title of the document, its only heading of the first level, counts for none.
    """
    is_titled = sum(section.level == 1 for section in sections) == 1
    seen: Counter[Key] = Counter()
    around: list[Section] = []
    for section in sections:
        while around and around[-1].level >= section.level:
            around.pop()
        around.append(section)
        if not section.blocks or any(is_formal(each.title) for each in around):
            continue
        key = tuple(_normal(each.title) for each in around if each.level > is_titled)
        seen[key] += 1
        yield (*key, str(seen[key])) if seen[key] > 1 else key, section


def _pairs(one: Mapping[Key, Section], other: Mapping[Key, Section]) -> dict[Key, Key]:
    """Return key in the second → key in the first of the same chapter.

    A chapter that moved is known by its own heading, where only one has it.
    """
    pairs = {key: key for key in other if key in one}
    own = _unique([key for key in one if key not in pairs])
    moved = _unique([key for key in other if key not in pairs])
    found = ((key, own[title]) for title, key in moved.items() if title in own)
    return {**pairs, **dict(found)}


def _unique(keys: Sequence[Key]) -> dict[str, Key]:
    counts = Counter(key[-1] for key in keys if key)
    return {key[-1]: key for key in keys if key and counts[key[-1]] == 1}


def _compare(one: Section, other: Section) -> ChapterDifference:
    units, others = list(_units(one)), list(_units(other))
    if {unit.key for unit in units} == {unit.key for unit in others}:
        return ChapterDifference(one, other, "same")
    only_one, only_other = _without(units, others), _without(others, units)
    is_alike = not only_one and not only_other
    likeness: Likeness = "letters" if is_alike else "different"
    return ChapterDifference(one, other, likeness, only_one, only_other)


def _without(units: Sequence[Unit], others: Sequence[Unit]) -> tuple[Unit, ...]:
    """Return what only the first say, each once: sentences, lead-ins, lines of code."""
    known = {unit.key.casefold() for unit in others}
    own = {u.key.casefold(): u for u in reversed(units)}
    found = [unit for key, unit in reversed(own.items()) if key not in known]
    return tuple(sorted(found, key=lambda unit: (unit.is_code, points_on(unit.text))))


def _units(section: Section) -> Iterator[Unit]:
    found = (unit for block in section.blocks for unit in _units_of(block))
    for number, unit in enumerate(found):
        if number >= _MOST_UNITS:
            return
        yield unit


def _units_of(block: DocumentBlock) -> Iterator[Unit]:
    start, end = block.start_line, block.end_line
    if block.kind == "code":
        lines = block.text.split("\n")
        # Of a fence the first line is the mark.
        first = start + (end - start + 1 > len(lines))
        for number, line in enumerate(lines, first):
            if _says(line):
                yield Unit(_normal_blanks(line), block, number, number)
    elif block.kind == "row":
        yield Unit(_normal_blanks(block.text), block, start, end)
    else:
        for sentence in filter(_says, sentences(block.text)):
            yield Unit(_normal_blanks(sentence), block, start, end)


def _says(text: str) -> bool:
    """Return whether a text is more than marks or the label of a sample."""
    return any(map(str.isalnum, text)) and not is_label(text)


def _normal(title: str) -> str:
    return _normal_blanks(unicodedata.normalize("NFKC", title)).casefold()


def _normal_blanks(text: str) -> str:
    return " ".join(text.split())
