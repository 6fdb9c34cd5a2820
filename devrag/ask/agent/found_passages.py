"""What was found so far, each passage under one id, and what is kept of it: pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from devrag.ask.types import Passage

# With those that the model chose, passages that nobody did: no more than fills these.
_FEWEST_LINES = 120
_FileKey = tuple[str, str]


class FoundPassages:
    """Passages in the order in which they were found. An id is never given twice.

    first: of the first search, which have their ids.
    """

    def __init__(self, first: Sequence[Passage]) -> None:
        self._first = tuple(first)
        self._found: dict[str, Passage] = {each.id: each for each in first}
        self._read: dict[str, None] = {}
        self._last_number = max((_number(each.id) for each in first), default=0)

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(self._found)

    def add(self, passage: Passage, *, is_read: bool) -> Passage:
        """Return the passage with its id; one whose lines another has is that other.

        is_read: it was asked for by its name or lines, and not only among results.
        """
        known = next(_covering(passage, self._found.values()), None)
        if known is None:
            self._last_number += 1
            known = replace(passage, id=f"E{self._last_number}")
            self._found[known.id] = known
        if is_read:
            self._read[known.id] = None
        return known

    def choose(
        self, named: Iterable[str], *, max_files: int, max_lines: int
    ) -> tuple[Passage, ...]:
        """Return what the answer is written from, within files and lines.

        The named ones come first, then what was read, then by turns what the first
        search and what later ones found; none within another. Where enough lines are
        named, others are left out, and where a few are, others only show what other
        files there are.
        """
        is_named = [key for key in dict.fromkeys(named) if key in self._found]
        chosen = _Chosen(max_files, max_lines)
        for key in dict.fromkeys([*is_named, *self._read]):
            chosen.take(self._found[key])
        if is_named:
            taken = sum(each.line_count for each in chosen.passages)
            chosen.lines_left = min(chosen.lines_left, max(0, _FEWEST_LINES - taken))
        for key in self._by_turns():
            passage = self._found[key]
            if not is_named or _file(passage) not in chosen.files:
                chosen.take(passage)
        return tuple(chosen.passages)

    def _by_turns(self) -> Iterator[str]:
        """Yield the ids of the first search and of later ones in turn."""
        first = [each.id for each in self._first]
        later = [key for key in self._found if key not in set(first)]
        for pair in zip_longest(first, later):
            yield from (key for key in pair if key is not None)


class _Chosen:
    """What is chosen, and how much more may be."""

    def __init__(self, max_files: int, max_lines: int) -> None:
        self.passages: list[Passage] = []
        self.files: set[_FileKey] = set()
        self.lines_left = max_lines
        self._max_files = max_files

    def take(self, passage: Passage) -> None:
        """Take a passage that fits and has lines that no other has."""
        is_new_file = _file(passage) not in self.files
        if (
            passage.line_count > self.lines_left
            or (is_new_file and len(self.files) == self._max_files)
            or any(_covering(passage, self.passages))
        ):
            return
        self.passages.append(passage)
        self.files.add(_file(passage))
        self.lines_left -= passage.line_count


def _covering(passage: Passage, others: Iterable[Passage]) -> Iterator[Passage]:
    """Yield those that have all lines of a passage."""
    for each in others:
        is_same_file = _file(each) == _file(passage)
        is_around = each.start_line <= passage.start_line
        if is_same_file and is_around and each.end_line >= passage.end_line:
            yield each


def _file(passage: Passage) -> _FileKey:
    return passage.source, passage.path


def _number(passage_id: str) -> int:
    digits = passage_id.removeprefix("E")
    return int(digits) if digits.isdecimal() else 0
