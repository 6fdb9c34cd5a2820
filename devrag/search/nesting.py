"""Of sections and entries within one another only the deepest is shown."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from devrag.search.candidates import CandidateChunk
from devrag.search.types import Hit

# These hold the text of what is within them: a long entry has sections.
_AROUND = frozenset({"section", "entry"})
# First line, last line, place in the list.
_Range = tuple[int, int, int]


def collapse_nested(
    spots: Sequence[CandidateChunk | Hit],
    stays: Callable[[int, int], bool] = lambda _around, _within: False,
) -> list[int]:
    """Return positions to keep: of those within one another only the deepest stays.

    The deepest takes the place of the best-ranked one that contains it, unless that one
    stays. stays: for the positions of one and of a later one within it, whether the
    first is what was asked for and the other is not.
    """
    kept: list[int] = []
    files: dict[tuple[str, str], _Shown] = defaultdict(_Shown)
    for position, spot in enumerate(spots):
        shown = files[spot.source_name, spot.path]
        if spot.kind in _AROUND and shown.has_within(spot):
            continue
        around = shown.find_around(spot)
        if around is not None and stays(kept[around], position):
            continue
        place = shown.take_around(spot)
        if place is None:
            place = len(kept)
            kept.append(position)
        kept[place] = position
        shown.add(spot, place)
    return kept


@dataclass(slots=True)
class _Shown:
    """What is kept of a file, in order of its lines.

    A section holds its children's text; a class does not hold its methods' bodies. No
    section or entry here is within another, so that they end in the order in which they
    begin.
    """

    sections: list[_Range] = field(default_factory=list)
    others: list[_Range] = field(default_factory=list)

    def has_within(self, spot: CandidateChunk | Hit) -> bool:
        return any(
            last <= spot.end_line
            for ranges in (self.sections, self.others)
            for _, last, _ in _beginning_in(ranges, spot)
        )

    def find_around(self, spot: CandidateChunk | Hit) -> int | None:
        """Return the place of the section around it."""
        at = self._around(spot)
        return None if at is None else self.sections[at][2]

    def take_around(self, spot: CandidateChunk | Hit) -> int | None:
        """Give up the section around it; return its place."""
        at = self._around(spot)
        return None if at is None else self.sections.pop(at)[2]

    def _around(self, spot: CandidateChunk | Hit) -> int | None:
        after = bisect_left(self.sections, (spot.start_line + 1, 0, 0))
        if not after or self.sections[after - 1][1] < spot.end_line:
            return None
        return after - 1

    def add(self, spot: CandidateChunk | Hit, place: int) -> None:
        ranges = self.sections if spot.kind in _AROUND else self.others
        insort(ranges, (spot.start_line, spot.end_line, place))


def _beginning_in(ranges: list[_Range], spot: CandidateChunk | Hit) -> Sequence[_Range]:
    begin = bisect_left(ranges, (spot.start_line, 0, 0))
    return ranges[begin : bisect_left(ranges, (spot.end_line + 1, 0, 0))]
