"""Choose what is shown of all candidates, within files and lines: pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from devrag.ask.evidence.candidates import (
    FileKey,
    PassageCandidate,
    file_weights,
)
from devrag.parsing.path_roles import is_test

# Tests show how something is used, but rarely how it works.
_MOST_TEST_FILES = 4
# Lines that the best passage of a file may take, in the first files and in others.
_WHOLE_FILES, _WHOLE_LINES, _SHORT_LINES = 3, 90, 40
_GAP = 2
_FEWEST_LINES = 3


def choose_passages(
    candidates: Sequence[PassageCandidate], *, max_files: int, max_lines: int
) -> list[PassageCandidate]:
    """Return passages without overlaps, those of the most wanted file first.

    Each chosen file has its best passage; what is left goes to the next best of any.
    """
    files = _choose_files(candidates, max_files)
    best: dict[FileKey, list[PassageCandidate]] = defaultdict(list)
    for each in sorted(candidates, key=lambda c: -c.weight):
        if each.file in files:
            best[each.file].append(each)
    taken = _Lines(max_lines)
    chosen = []
    for place, file in enumerate(files):
        most = _WHOLE_LINES if place < _WHOLE_FILES else _SHORT_LINES
        chosen += taken.take(best[file][0], most)
    others = [each for file in files for each in best[file][1:]]
    for each in sorted(others, key=lambda c: -c.weight):
        chosen += taken.take(each, _SHORT_LINES)
    order = {file: place for place, file in enumerate(files)}
    return _joined(sorted(chosen, key=lambda c: (order[c.file], c.start_line)))


def _choose_files(
    candidates: Iterable[PassageCandidate], max_files: int
) -> list[FileKey]:
    """Return the most wanted files, few of them tests."""
    chosen: list[FileKey] = []
    tests = 0
    for file in file_weights(candidates):
        tests += is_test(file[1])
        if is_test(file[1]) and tests > _MOST_TEST_FILES:
            continue
        chosen.append(file)
        if len(chosen) == max_files:
            break
    return chosen


class _Lines:
    """Which lines are taken, and how many may be."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._taken: dict[FileKey, list[tuple[int, int]]] = defaultdict(list)

    def take(self, wanted: PassageCandidate, most: int) -> list[PassageCandidate]:
        """Return the candidate, as much of it as fits and is not taken yet."""
        start = wanted.start_line
        end = min(wanted.end_line, start + min(most, self._left) - 1)
        for first, last in sorted(self._taken[wanted.file]):
            if first <= start <= last:
                start = last + 1
            elif start < first <= end:
                end = first - 1
        is_rest = start > wanted.start_line
        if end < start or (is_rest and end - start + 1 < _FEWEST_LINES):
            return []
        self._left -= end - start + 1
        self._taken[wanted.file].append((start, end))
        return [replace(wanted, start_line=start, end_line=end)]


def _joined(chosen: Iterable[PassageCandidate]) -> list[PassageCandidate]:
    """Join passages that follow each other and are of the same definition."""
    found: list[PassageCandidate] = []
    for each in chosen:
        last = found[-1] if found else None
        is_next = (
            last is not None
            and (last.file, last.title) == (each.file, each.title)
            and each.start_line - last.end_line <= _GAP
        )
        if last is not None and is_next:
            found[-1] = replace(last, end_line=each.end_line)
        else:
            found.append(each)
    return found
