"""What took the place of what, where two editions of a chapter differ: pure.

A sentence is set beside the one that replaced it, lines of code beside those that stand
where they stood. What merely moved, and what only leads to a sample, is no change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from devrag.wiki.analysis.documents import DocumentBlock
from devrag.wiki.analysis.lead_ins import points_on
from devrag.wiki.analysis.passages import is_telling
from devrag.wiki.analysis.renamed_variables import are_renamed

_TAG = re.compile(r"<[^<>]*>")
_MARKS = re.compile(r"[`*]|ー(?![ァ-ヶ])")  # of code and stress; `ヘッダー` is `ヘッダ`
_ASIDE = re.compile(r"^\s*(※|[（(]|\*)")
_MOST_PAIRED = 40  # sentences of one place
Sample = tuple[str, str]  # the sentence that it is of, what it is called
_ALIKE = 0.5  # of the letters of a sentence and of the one that replaced it


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, a row or a line of code. block: the block that it is of.

    label: of a line of code what its sample is called, as “Bad example”. about: the
    sentence that the sample shows.
    """

    text: str
    block: DocumentBlock
    start_line: int
    end_line: int
    label: str = ""
    about: Unit | None = None

    @property
    def key(self) -> str:
        """Return what is compared: the text without blanks and, outside code, marks."""
        text = self.text if self.is_code else _MARKS.sub("", _TAG.sub("", self.text))
        return "".join(text.split()).rstrip("。.")

    @property
    def is_code(self) -> bool:
        """Return whether it is a line of a sample."""
        return self.block.kind == "code"


@dataclass(frozen=True, slots=True)
class Change:
    """What one edition says where the other says something else, or nothing.

    about: the sentence above a sample of code that changed, what the sample shows.
    """

    one: tuple[Unit, ...]
    other: tuple[Unit, ...]
    about: Unit | None = None

    @property
    def sample(self) -> Sample:
        """Return what tells the samples of a chapter apart."""
        unit = (self.other or self.one)[0]
        return self.about.key if self.about else "", unit.label

    @property
    def is_code(self) -> bool:
        """Return whether lines of a sample changed."""
        return (self.one or self.other)[0].is_code


def changes_of(one: Sequence[Unit], other: Sequence[Unit]) -> tuple[Change, ...]:
    """Return the changes of a chapter in its order, its sentences first."""
    keys, others = ([u.key.casefold() for u in units] for units in (one, other))
    known, known_others = set(keys), set(others)
    matcher = SequenceMatcher(None, keys, others, autojunk=False)
    prose: list[Change] = []
    code: list[Change] = []
    for tag, start, end, from_, to in matcher.get_opcodes():
        if tag == "equal":
            continue
        gone = _new(one, range(start, end), known_others)
        new = _new(other, range(from_, to), known)
        prose += _paired(*([u for u in side if not u.is_code] for side in (gone, new)))
        before, after = ([u for u in side if u.is_code] for side in (gone, new))
        code += _of_samples(_by_sample(one, before), _by_sample(other, after))
    return (*_once(prose), *_once(_joined(code)))


def _once(found: Sequence[Change]) -> Iterator[Change]:
    seen: set[tuple[tuple[str, ...], ...]] = set()
    for change in found:
        sides = (change.one, change.other)
        key = tuple(tuple(unit.key.casefold() for unit in side) for side in sides)
        if key not in seen:
            seen.add(key)
            yield change


def _joined(code: Sequence[Change]) -> list[Change]:
    """Return the changes of samples, those of what shows the same as one."""
    found: list[Change] = []
    for change in code:
        last = found[-1] if found else None
        if last and last.about and last.sample == change.sample:
            one = _each_once(last.one + change.one)
            other = _each_once(last.other + change.other)
            found[-1] = Change(one, other, change.about)
        else:
            found.append(change)
    return found


def _each_once(units: Sequence[Unit]) -> tuple[Unit, ...]:
    found = {unit.key.casefold(): unit for unit in reversed(units)}
    return tuple(reversed(found.values()))


def _new(units: Sequence[Unit], places: range, known: set[str]) -> list[Unit]:
    """Return what the other edition does not say elsewhere, lead-ins aside."""
    found = {units[n].key.casefold(): units[n] for n in reversed(places)}
    own = [unit for key, unit in reversed(found.items()) if key not in known]
    return [unit for unit in own if unit.is_code or not points_on(unit.text)]


def _are_renamed(one: Sequence[Unit], other: Sequence[Unit]) -> bool:
    language = (one or other)[0].block.language
    return are_renamed([u.text for u in one], [u.text for u in other], language)


def _of_samples(
    gone: Mapping[Sample, list[Unit]], new: Mapping[Sample, list[Unit]]
) -> Iterator[Change]:
    """Yield the changes of a place, those of each sample by themselves.

    One below another sentence took the place of the first that is called alike.
    """
    rest = [sample for sample in new if sample not in gone]
    for sample, before in gone.items():
        alike = (each for each in rest if each[1] == sample[1])
        found = sample if sample in new else next(alike, None)
        if found in rest:
            rest.remove(found)
        yield from _change(before, new[found] if found else [])
    for sample in rest:
        yield from _change([], new[sample])


def _change(before: Sequence[Unit], after: Sequence[Unit]) -> Iterator[Change]:
    if not _are_renamed(before, after):
        about = (after or before)[0].about
        yield Change(tuple(before), tuple(after), about)


def _by_sample(
    units: Sequence[Unit], lines: Sequence[Unit]
) -> dict[Sample, list[Unit]]:
    """Return lines of code by the sample that they are of."""
    found: dict[Sample, list[Unit]] = {}
    for line in lines:
        about = _about(units, line)
        key = about.key if about else ""
        found.setdefault((key, line.label), []).append(replace(line, about=about))
    return found


def _about(units: Sequence[Unit], line: Unit) -> Unit | None:
    """Return the sentence above a line of code, None where none stands there."""
    above = (u for u in reversed(units) if u.end_line < line.start_line)
    told = (u for u in above if not u.is_code and not _ASIDE.match(u.text))
    found = next(told, None)
    if found is None or points_on(found.text) or not is_telling(found.text):
        return None
    return found


def _paired(gone: Sequence[Unit], new: Sequence[Unit]) -> Iterator[Change]:
    """Yield each sentence beside the most like it; what is left stands as it is."""
    if max(len(gone), len(new)) > _MOST_PAIRED:
        yield Change(tuple(gone), tuple(new))
        return
    rest = list(new)
    alone: list[Unit] = []
    pairs: list[Change] = []
    for unit in gone:
        best = max(rest, key=lambda each: _likeness(unit, each), default=None)
        if best is None or _likeness(unit, best) < _ALIKE:
            alone.append(unit)
        else:
            rest.remove(best)
            pairs.append(Change((unit,), (best,)))
    yield from pairs
    if alone or rest:
        yield Change(tuple(alone), tuple(rest))


def _likeness(one: Unit, other: Unit) -> float:
    return SequenceMatcher(None, one.key, other.key, autojunk=False).ratio()
