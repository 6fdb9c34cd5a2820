"""Windows of some size with an overlap, cut on whole lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from devrag.parsing.chunking import DEFAULT_CHUNKING, ChunkOptions
from devrag.parsing.tokens import CHARACTERS_PER_TOKEN, token_weight


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of text and the 1-based, inclusive lines it came from."""

    start_line: int
    end_line: int
    text: str


def window_spans(
    total_tokens: int,
    size: int = DEFAULT_CHUNKING.tokens,
    overlap: int = DEFAULT_CHUNKING.overlap_tokens,
) -> list[tuple[int, int]]:
    """Return half-open (start, end) windows that cover `total_tokens`."""
    spans = []
    start = 0
    while start + size < total_tokens:
        spans.append((start, start + size))
        start += size - overlap
    if total_tokens > 0:
        spans.append((start, total_tokens))
    return spans


def text_windows(
    lines: Sequence[str],
    first_line: int = 1,
    options: ChunkOptions = DEFAULT_CHUNKING,
) -> list[Window]:
    """Cut lines into windows; blank ends are dropped, blank text gives none."""
    start, end = _trim(lines, 0, len(lines))
    if start >= end:
        return []
    weights = [token_weight(line) + 1 / CHARACTERS_PER_TOKEN for line in lines]
    if sum(weights[start:end]) - 1 / CHARACTERS_PER_TOKEN <= options.max_weight:
        return [_window(lines, start, end, first_line)]
    windows: list[Window] = []
    for run_start, run_end in _runs(weights, start, end, options.tokens):
        if run_end - run_start == 1 and weights[run_start] > options.tokens:
            line, weight = lines[run_start], weights[run_start]
            windows.extend(_cut_line(line, weight, first_line + run_start, options))
            continue
        for cut in _cut_run(lines, weights, run_start, run_end, options):
            trimmed = _trim(lines, *cut)
            if trimmed[0] < trimmed[1]:
                windows.append(_window(lines, *trimmed, first_line))
    return windows


def _trim(lines: Sequence[str], start: int, end: int) -> tuple[int, int]:
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return start, end


def _window(lines: Sequence[str], start: int, end: int, first_line: int) -> Window:
    return Window(first_line + start, first_line + end - 1, "\n".join(lines[start:end]))


def _runs(
    weights: list[float], start: int, end: int, size: int
) -> Iterator[tuple[int, int]]:
    """Yield stretches of lines, each over-long line as a stretch of its own."""
    run = start
    for index in range(start, end):
        if weights[index] > size:
            if run < index:
                yield run, index
            yield index, index + 1
            run = index + 1
    if run < end:
        yield run, end


def _cut_line(
    line: str, weight: float, number: int, options: ChunkOptions
) -> Iterator[Window]:
    ratio = len(line) / weight
    size, overlap = int(options.tokens * ratio), int(options.overlap_tokens * ratio)
    for start, end in window_spans(len(line), size, overlap):
        piece = line[start:end]
        if piece.strip():
            yield Window(number, number, piece)


def _cut_run(
    lines: Sequence[str],
    weights: list[float],
    start: int,
    end: int,
    options: ChunkOptions,
) -> Iterator[tuple[int, int]]:
    """Yield (start, end) line indexes of windows, cut at blank lines if any."""
    total = [0.0, *accumulate(weights[start:end])]
    size, overlap = options.tokens, options.overlap_tokens
    low = start
    while True:
        high = low + 1
        while high < end and total[high + 1 - start] - total[low - start] <= size:
            high += 1
        if high >= end:
            yield low, end
            return
        high = _blank_cut(lines, low, high)
        yield low, high
        back = high
        while (
            back - 1 > low and total[high - start] - total[back - 1 - start] <= overlap
        ):
            back -= 1
        low = back


def _blank_cut(lines: Sequence[str], low: int, high: int) -> int:
    """Move a cut back to a paragraph's end when one lies in the last third."""
    for index in range(high, high - (high - low) // 3, -1):
        if not lines[index - 1].strip():
            return index
    return high
