"""Paragraphs and code blocks as units of which windows are made."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from devrag.parsing.chunking import ChunkOptions
from devrag.parsing.tokens import CHARACTERS_PER_TOKEN, token_weight
from devrag.parsing.windows import Window, text_windows

# First and last line, 1-based and inclusive.
LineRange = tuple[int, int]

# Half-open line indexes and estimated tokens.
_Unit = tuple[int, int, float]

_LINE_END = 1 / CHARACTERS_PER_TOKEN


def paragraph_spans(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield paragraphs as half-open line indexes."""
    first: int | None = None
    for index, line in enumerate([*lines, ""]):
        if line.strip():
            first = index if first is None else first
        elif first is not None:
            yield first, index
            first = None


def span_weight(lines: Sequence[str]) -> float:
    """Return the estimated tokens of lines, before rounding."""
    return sum(token_weight(line) + _LINE_END for line in lines)


def solid_windows(
    lines: list[str],
    first_line: int,
    solid: Sequence[LineRange],
    options: ChunkOptions,
) -> Iterator[Window]:
    """Yield overlapping windows of whole paragraphs and code blocks.

    A paragraph, or a code block above its limit, that fills a window alone is cut by
    lines.
    """
    size = options.tokens
    units: list[_Unit] = []
    total = 0.0
    for start, end in _joined(lines, first_line, solid):
        weight = span_weight(lines[start:end])
        if units and total + weight > size:
            yield _window(lines, units, first_line)
            units = _overlap(units, min(size - weight, options.overlap_tokens))
            total = sum(unit[2] for unit in units)
        if weight <= size:
            units.append((start, end, weight))
            total += weight
        elif weight <= options.block_tokens and _is_solid(
            first_line + start, first_line + end - 1, solid
        ):
            yield _window(lines, [(start, end, weight)], first_line)
        else:
            yield from text_windows(lines[start:end], first_line + start, options)
    if units:
        yield _window(lines, units, first_line)


def _window(lines: Sequence[str], units: list[_Unit], first_line: int) -> Window:
    start, end = units[0][0], units[-1][1]
    return Window(first_line + start, first_line + end - 1, "\n".join(lines[start:end]))


def _overlap(units: list[_Unit], room: float) -> list[_Unit]:
    """Return the last units that the next window repeats, if it has the room."""
    first = len(units)
    while first > 1 and units[first - 1][2] <= room:
        first -= 1
        room -= units[first][2]
    return units[first:]


def _joined(
    lines: Sequence[str], first_line: int, solid: Sequence[LineRange]
) -> Iterator[tuple[int, int]]:
    """Yield paragraphs as line indexes, those that a code block touches as one."""
    open_span: tuple[int, int] | None = None
    until = 0
    for start, end in paragraph_spans(lines):
        if open_span and start < until:
            open_span = (open_span[0], end)
        else:
            if open_span:
                yield open_span
            open_span = (start, end)
        last = bisect_right(solid, (first_line + end - 1, sys.maxsize)) - 1
        if last >= 0:
            until = max(until, solid[last][1] - first_line + 1)
    if open_span:
        yield open_span


def _is_solid(first: int, last: int, solid: Sequence[LineRange]) -> bool:
    """Return whether a code block stands in the lines."""
    at = bisect_left(solid, (first, 0))
    return at < len(solid) and solid[at][0] <= last
