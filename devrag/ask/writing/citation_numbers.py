"""From ids of passages to numbered citations of the lines that bear them: pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from devrag.ask.types import Passage
from devrag.wiki.api import (
    MARKER,
    best_window,
    is_name,
    join_sentences,
    shown_terms,
    terms_of,
)
from devrag.wiki.evidence.blocks import MarkdownBlock, join_blocks

# Of a passage or a block in it that is cited whole; else of the lines that bear a
# sentence.
_WHOLE_LINES, MOST_LINES = 45, 20
# What stands before and after them belongs to what they say: a condition, a branch.
_LINES_AROUND = 3
# Of the sentence, that the passage shows; of that, what the lines show.
_CLEAR, _BORNE = 0.5, 0.7

_SPACED_MARKER = re.compile(rf"(\s*){MARKER.pattern}")

LineRange = tuple[int, int]


class CitationNumbers:
    """Numbers citations in the order of first use; the lines of each are found once."""

    def __init__(self, passages: Mapping[str, Passage]) -> None:
        self._passages = passages
        self._ranges: dict[tuple[str, str], LineRange] = {}

    def number(
        self, blocks: Sequence[MarkdownBlock]
    ) -> tuple[str, tuple[Passage, ...]]:
        """Return Markdown with `[1](cite:1)` and the passages of these numbers."""
        if not blocks:
            return "", ()
        used = [
            (key, self._range(sentence, key))
            for block in blocks
            if block.kind != "fence"
            for sentence in block.sentences()
            for key in MARKER.findall(sentence)
        ]
        merged = _merged(used)
        places = dict.fromkeys(merged[each] for each in used)
        numbers = {place: n for n, place in enumerate(places, 1)}

        def numbered(sentence: str) -> str:
            seen: set[int] = set()

            def link(match: re.Match[str]) -> str:
                space, key = match.groups()
                number = numbers[merged[key, self._range(sentence, key)]]
                is_again = number in seen
                seen.add(number)
                return "" if is_again else f"{space}[{number}](cite:{number})"

            return _SPACED_MARKER.sub(link, sentence)

        done = [
            block
            if block.kind == "fence"
            else replace(block, text=_joined(block, map(numbered, block.sentences())))
            for block in blocks
        ]
        cited = tuple(self._cut(key, lines) for key, lines in places)
        return join_blocks(done), cited

    def _range(self, sentence: str, key: str) -> LineRange:
        if (sentence, key) not in self._ranges:
            found = bearing_lines(sentence, self._passages[key])
            self._ranges[sentence, key] = found
        return self._ranges[sentence, key]

    def _cut(self, key: str, lines: LineRange) -> Passage:
        """Return these lines of a passage as a passage of the same version."""
        whole = self._passages[key]
        first, last = lines
        if (first, last) == (whole.start_line, whole.end_line):
            return whole
        text = whole.text.split("\n")
        at = first - whole.start_line
        shown = "\n".join(text[at : at + last - first + 1])
        return replace(whole, start_line=first, end_line=last, text=shown)


def bearing_lines(sentence: str, passage: Passage) -> LineRange:
    """Return the lines of a long passage that bear a sentence, else all of them.

    They are a whole block of it, such as a method, where that is short enough.
    """
    whole = passage.start_line, passage.end_line
    lines = passage.text.rstrip("\n").split("\n")
    if len(lines) <= _WHOLE_LINES or len(lines) != passage.line_count:
        return whole
    terms_of_sentence = terms_of(sentence)
    terms = shown_terms(terms_of_sentence, lines)
    if sum(terms.values()) < _CLEAR * sum(terms_of_sentence.values()):
        return whole
    first, last = _with_block(lines, *best_window(terms, lines, MOST_LINES))
    seen = shown_terms(terms, lines[first : last + 1])
    lost = [term for term in terms if term not in seen]
    is_lost = any(is_name(terms[term]) or term.isdigit() for term in lost)
    if is_lost or sum(seen.values()) < _BORNE * sum(terms.values()):
        return whole
    return passage.start_line + first, passage.start_line + last


def _with_block(lines: Sequence[str], first: int, last: int) -> LineRange:
    """Return the block that lines stand in, else these with a few around them.

    A block is known by its indentation: it begins with a line that is indented less
    than all others, such as a `def`, and ends before the next one like it.
    """
    begin = _head_of(lines, first, last)
    if begin is not None:
        end = last
        while end + 1 < len(lines) and not _is_head(
            lines[end + 1], _depth(lines[begin])
        ):
            end += 1
        while not lines[end].strip():
            end -= 1
        if end - begin < _WHOLE_LINES:
            return begin, end
    return max(0, first - _LINES_AROUND), min(len(lines) - 1, last + _LINES_AROUND)


def _head_of(lines: Sequence[str], first: int, last: int) -> int | None:
    """Return the line that the block around lines begins with, None for none."""
    inner = [_depth(each) for each in lines[first + 1 : last + 1] if each.strip()]
    if inner and min(inner) > _depth(lines[first]):
        return first
    depth = min([_depth(lines[first]), *inner])
    above = range(first - 1, -1, -1)
    return next((at for at in above if _is_head(lines[at], depth - 1)), None)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_head(line: str, depth: int) -> bool:
    """Return whether a line is indented so much at most and closes no bracket."""
    bare = line.strip()
    return bool(bare) and _depth(line) <= depth and bare[0] not in ")]}"


def _merged(
    used: Sequence[tuple[str, LineRange]],
) -> dict[tuple[str, LineRange], tuple[str, LineRange]]:
    """Return each place → the one that takes it in, overlapping ones being one."""
    found: dict[tuple[str, LineRange], tuple[str, LineRange]] = {}
    for key in dict.fromkeys(key for key, _ in used):
        ranges = sorted({lines for other, lines in used if other == key})
        for group in _groups(ranges):
            place = key, (group[0][0], max(last for _, last in group))
            found |= {(key, lines): place for lines in group}
    return found


def _groups(ranges: Sequence[LineRange]) -> Iterator[list[LineRange]]:
    """Yield ranges that overlap and are short enough together."""
    group: list[LineRange] = []
    for first, last in ranges:
        end = max((each[1] for each in group), default=0)
        is_near = bool(group) and first <= end
        if is_near and max(end, last) - group[0][0] < _WHOLE_LINES:
            group.append((first, last))
            continue
        if group:
            yield group
        group = [(first, last)]
    if group:
        yield group


def _joined(block: MarkdownBlock, pieces: Iterable[str]) -> str:
    return join_sentences(pieces) if block.is_prose else "\n".join(pieces)
