"""Compares two editions of a document, chapter by chapter: pure.

A chapter is what stands directly below a heading. What it says are its sentences, rows
and lines of code; their order and the blanks between words do not count.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.edition_changes import Change, Unit, changes_of
from devrag.wiki.analysis.passages import is_label
from devrag.wiki.analysis.prose import sentences
from devrag.wiki.analysis.topics.documents import is_formal

Likeness = Literal["same", "letters", "different"]
Key = tuple[str, ...]
_PATH = re.compile(r"\s*\\?[>›→/]\s+")
_MOST_UNITS = 400  # of a chapter


@dataclass(frozen=True, slots=True)
class ChapterDifference:
    """A chapter that both editions have. one, other: its sections there.

    likeness: `letters` where only capital letters differ. changes: what one of them
    says otherwise, capital letters aside.
    """

    one: Section
    other: Section
    likeness: Likeness
    changes: tuple[Change, ...] = ()

    @property
    def only_one(self) -> tuple[Unit, ...]:
        """Return what the chapter says in the first edition alone."""
        return tuple(unit for change in self.changes for unit in change.one)

    @property
    def only_other(self) -> tuple[Unit, ...]:
        """Return what the chapter says in the second edition alone."""
        return tuple(unit for change in self.changes for unit in change.other)


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

    A chapter that moved is known by its own heading, where only one has it; of a
    heading that is a path (`info > title`) by the last of its names.
    """
    pairs = {key: key for key in other if key in one}
    for own_name in (_own_heading, _last_name):
        taken = set(pairs.values())
        own = _unique([key for key in one if key not in taken], own_name)
        moved = _unique([key for key in other if key not in pairs], own_name)
        pairs |= {key: own[name] for name, key in moved.items() if name in own}
    return pairs


def _unique(keys: Sequence[Key], name_of: Callable[[Key], str]) -> dict[str, Key]:
    counts = Counter(name_of(key) for key in keys if key)
    return {name_of(key): key for key in keys if key and counts[name_of(key)] == 1}


def _own_heading(key: Key) -> str:
    return key[-1]


def _last_name(key: Key) -> str:
    return _PATH.split(key[-1])[-1]


def _compare(one: Section, other: Section) -> ChapterDifference:
    units, others = list(_units(one)), list(_units(other))
    if {unit.key for unit in units} == {unit.key for unit in others}:
        return ChapterDifference(one, other, "same")
    changes = changes_of(units, others)
    if changes:
        return ChapterDifference(one, other, "different", changes)
    return ChapterDifference(
        one, other, "letters" if _is_recased(units, others) else "same"
    )


def _is_recased(one: Sequence[Unit], other: Sequence[Unit]) -> bool:
    """Return whether a unit has other capitals in the other edition."""
    keys = {unit.key for unit in other}
    folded = {key.casefold() for key in keys}
    return any(u.key not in keys and u.key.casefold() in folded for u in one)


def _units(section: Section) -> Iterator[Unit]:
    number = 0
    label = ""
    for block in section.blocks:
        for unit in _units_of(block):
            if number == _MOST_UNITS:
                return
            number += 1
            yield replace(unit, label=label) if unit.is_code else unit
        is_on_next = block.kind != "code" and is_label(block.text)
        label = block.text.strip(" :：*") if is_on_next else ""


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
