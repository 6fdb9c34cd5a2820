"""Completes lines to what they are a part of, by blank lines and indentation: pure.

Works for every language and for documents; lines count from 1, ranges hold their last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

LineRange = tuple[int, int]
_CLOSES = re.compile(r"\s*(?:[)}\]]|end\b|\*/)")
_BESIDE = 6  # lines, around those of a long paragraph


def completed(
    lines: Sequence[str], part: LineRange, within: LineRange, most: int
) -> LineRange:
    """Return lines with what they open, and the blocks around them as far as they fit.

    Where no block fits it is the paragraph. within: what is never left. most: lines.
    """
    found = part
    grown = True
    while grown:
        wider = (grow(lines, found) for grow in _GROWING)
        inside = (_clipped(each, within) for each in wider)
        fitting = [each for each in inside if each != found and _size(each) <= most]
        grown = bool(fitting)
        found = fitting[0] if fitting else found
    if found == part and _size(part) + 2 * _BESIDE <= most:
        return _clipped((part[0] - _BESIDE, part[1] + _BESIDE), within)
    return found


def joined(ranges: Iterable[LineRange], most: int) -> list[LineRange]:
    """Return ranges in order, none twice; those that meet are one if it is short."""
    found: list[LineRange] = []
    for start, end in sorted(set(ranges)):
        if found and start <= found[-1][1] + 2:
            first, last = found[-1]
            if max(last, end) - first < most:
                found[-1] = first, max(last, end)
                continue
            start = max(start, last + 1)  # noqa: PLW2901
        if start <= end:
            found.append((start, end))
    return found


def pieces_of(lines: Sequence[str], whole: LineRange, most: int) -> list[LineRange]:
    """Return a range in pieces of so many lines, cut at blank lines where there are."""
    found = []
    start, last = whole
    while start <= last:
        end = min(start + most - 1, last)
        if end < last:
            blank = (
                n for n in range(end, start + most // 2, -1) if _is_blank(lines, n)
            )
            end = next(blank, end)
        found.append((start, end))
        start = end + 1
    return found


def passages(lines: Sequence[str], within: LineRange) -> list[LineRange]:
    """Return the paragraphs of a document, each with what belongs to it.

    A heading or lead is one with what follows it, code with what stands before it.
    """
    found: list[LineRange] = []
    is_code = is_open = False
    for number in range(within[0], within[1] + 1):
        line = lines[number - 1].strip()
        is_mark = line.startswith(("```", "~~~"))
        is_inside = is_code or is_mark
        is_code ^= is_mark
        if not line and not is_inside:
            continue
        is_next = found and (is_open or is_inside or found[-1][1] == number - 1)
        if is_next:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
        is_heading = line.startswith("#") and not is_inside
        is_open = is_heading or line.endswith((":", "："))
    return found


def without_blank_end(lines: Sequence[str], part: LineRange) -> LineRange:
    """Return a range without the blank lines at its end."""
    start, end = part
    while end > start and _is_blank(lines, end):
        end -= 1
    return start, end


def _paragraph(lines: Sequence[str], part: LineRange) -> LineRange:
    start, end = part
    while start > 1 and not _is_blank(lines, start - 1):
        start -= 1
    while end < len(lines) and not _is_blank(lines, end + 1):
        end += 1
    return start, end


def _opened(lines: Sequence[str], part: LineRange) -> LineRange:
    """Return lines with those below that are indented more than the first of them."""
    return part[0], _end_of(lines, part[1], _least_depth(lines, part))


def _finished(lines: Sequence[str], part: LineRange) -> LineRange:
    """Return lines with those that the last of them opens."""
    if _is_blank(lines, part[1]):
        return part
    return part[0], _end_of(lines, part[1], _depth(lines, part[1]))


def _from_start(lines: Sequence[str], part: LineRange) -> LineRange:
    return _paragraph(lines, part)[0], part[1]


def _to_end(lines: Sequence[str], part: LineRange) -> LineRange:
    return part[0], _paragraph(lines, part)[1]


def _block(lines: Sequence[str], part: LineRange) -> LineRange:
    """Return the lines that the next line above with less indentation opens."""
    depth, start = _least_depth(lines, part), part[0]
    while start >= 1 and (_is_blank(lines, start) or _depth(lines, start) >= depth):
        start -= 1
    return (start, _end_of(lines, part[1], _depth(lines, start))) if start else part


def _end_of(lines: Sequence[str], end: int, depth: int) -> int:
    """Return where the lines that are indented more end, with what closes them."""
    last = end
    while end < len(lines) and (
        _is_blank(lines, end + 1) or _depth(lines, end + 1) > depth
    ):
        end += 1
    is_closed = end < len(lines) and _CLOSES.match(lines[end])
    if is_closed and _depth(lines, end + 1) == depth and end > last:
        end += 1
    while end > last and _is_blank(lines, end):
        end -= 1
    return end


def _least_depth(lines: Sequence[str], part: LineRange) -> int:
    filled = (n for n in range(part[0], part[1] + 1) if not _is_blank(lines, n))
    return min((_depth(lines, n) for n in filled), default=0)


def _is_blank(lines: Sequence[str], number: int) -> bool:
    return not lines[number - 1].strip()


def _depth(lines: Sequence[str], number: int) -> int:
    line = lines[number - 1].expandtabs(4)
    return len(line) - len(line.lstrip())


def _clipped(lines: LineRange, within: LineRange) -> LineRange:
    return max(lines[0], within[0]), min(lines[1], within[1])


def _size(lines: LineRange) -> int:
    return lines[1] - lines[0] + 1


# In this order, each as often as it fits.
_GROWING = (_opened, _finished, _block, _paragraph, _from_start, _to_end)
