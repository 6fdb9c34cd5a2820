"""What was found so far, each passage under one id, and what is kept of it: pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from devrag.ask.types import Passage

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

        The named ones come first, then what was read, then the first search's, then
        what later ones found; none within another.
        """
        order = [*named, *self._read, *(each.id for each in self._first), *self._found]
        chosen: list[Passage] = []
        files: set[_FileKey] = set()
        lines = 0
        for key in dict.fromkeys(order):
            passage = self._found.get(key)
            if passage is None or any(_covering(passage, chosen)):
                continue
            is_too_much = lines + passage.line_count > max_lines
            if is_too_much or len(files | {_file(passage)}) > max_files:
                continue
            chosen.append(passage)
            files.add(_file(passage))
            lines += passage.line_count
        return tuple(chosen)


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
