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
# Lines around a call: less than half of them may not have it.
_AROUND_A_LINE = "caller"


def choose_passages(
    candidates: Sequence[PassageCandidate],
    *,
    max_files: int,
    max_lines: int,
    shown: Sequence[PassageCandidate] = (),
) -> list[PassageCandidate]:
    """Return passages without overlaps, the most useful first.

    Each chosen file has its best passage; what is left goes to the next best of any.
    shown: chosen before from a part of the candidates; they come first, as they are.
    """
    files = _choose_files(candidates, max_files, [each.file for each in shown])
    best: dict[FileKey, list[PassageCandidate]] = defaultdict(list)
    for each in sorted(candidates, key=lambda c: -c.weight):
        if each.file in files:
            best[each.file].append(each)
    lines = _Lines(max_lines)
    for each in shown:
        lines.take(each, each.line_count)
    chosen: list[PassageCandidate] = []
    for place, file in enumerate(files):
        if file not in {each.file for each in shown}:
            most = _WHOLE_LINES if place < _WHOLE_FILES else _SHORT_LINES
            chosen += lines.take(best[file][0], most)
    others = [each for file in files for each in best[file]]
    others.sort(key=lambda c: -c.weight)
    for each in others:
        chosen += lines.take(each, _SHORT_LINES)
    for each in others:  # the rest of what was cut, where lines are left
        chosen += lines.take_rest(each)
    rest = _joined(sorted(chosen, key=lambda c: (c.file, c.start_line)))
    return [*shown, *sorted(rest, key=lambda c: -c.weight)]


def _choose_files(
    candidates: Iterable[PassageCandidate], max_files: int, shown: Iterable[FileKey]
) -> list[FileKey]:
    """Return what is shown, then the most wanted files, few of them tests."""
    chosen = list(dict.fromkeys(shown))
    tests = sum(is_test(path) for _, path in chosen)
    for file in file_weights(candidates):
        if len(chosen) == max_files:
            break
        if file in chosen:
            continue
        tests += is_test(file[1])
        if not is_test(file[1]) or tests <= _MOST_TEST_FILES:
            chosen.append(file)
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
        fewest = _FEWEST_LINES if is_rest else 1
        if wanted.kind == _AROUND_A_LINE:
            fewest = wanted.line_count // 2 + 1
        return self._keep(wanted, start, end, fewest)

    def take_rest(self, wanted: PassageCandidate) -> list[PassageCandidate]:
        """Return what follows the lines of a candidate that are taken already."""
        inside = [
            last
            for first, last in self._taken[wanted.file]
            if first <= wanted.end_line and wanted.start_line <= last
        ]
        if not inside or wanted.kind == _AROUND_A_LINE:
            return []
        start = max(inside) + 1
        end = min(wanted.end_line, start + min(_WHOLE_LINES, self._left) - 1)
        return self._keep(wanted, start, end, _FEWEST_LINES)

    def _keep(
        self, wanted: PassageCandidate, start: int, end: int, fewest: int
    ) -> list[PassageCandidate]:
        if end - start + 1 < fewest:
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
            weight = max(last.weight, each.weight)
            found[-1] = replace(last, end_line=each.end_line, weight=weight)
        else:
            found.append(each)
    return found
