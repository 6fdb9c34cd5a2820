"""From ids of passages to numbered citations of the lines that bear them: pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from devrag.ask.types import Passage
from devrag.ask.writing.bearing_lines import (
    WHOLE_LINES,
    LineRange,
    bearing_lines,
    joined,
)
from devrag.ask.writing.copied_code import lines_of_code
from devrag.ask.writing.leaning import LEANS
from devrag.core.text import code_text, one_line
from devrag.wiki.api import MARKER, join_sentences
from devrag.wiki.evidence.blocks import MarkdownBlock, join_blocks, plain

Ranges = tuple[LineRange, ...]
Cited = Mapping[str, Ranges]
# What check_text() puts above code that nothing leads to.
_ONLY_PATH = re.compile(r"`[^`]+` ?\[\d+\]\(cite:\d+\):")
_SPACED_MARKER = re.compile(rf"(\s*){MARKER.pattern}")


class CitationNumbers:
    """Numbers citations in the order of first use; the lines of each are found once."""

    def __init__(self, passages: Mapping[str, Passage]) -> None:
        self._passages = passages
        self._ranges: dict[tuple[str, str], Ranges] = {}

    def number(
        self, blocks: Sequence[MarkdownBlock]
    ) -> tuple[str, tuple[Passage, ...]]:
        """Return Markdown with `[1](cite:1)` and the passages of these numbers."""
        if not blocks:
            return "", ()
        cited = list(self._cited(blocks))
        used = [
            (key, lines)
            for sentences in cited
            for by_key in sentences
            for key, ranges in by_key.items()
            for lines in ranges
        ]
        merged = _merged(used)
        places = dict.fromkeys(merged[each] for each in used)
        numbers = {place: n for n, place in enumerate(places, 1)}

        def numbered(sentence: str, by_key: Mapping[str, Ranges]) -> str:
            seen: set[int] = set()

            def link(match: re.Match[str]) -> str:
                space, key = match.groups()
                own = dict.fromkeys(numbers[merged[key, r]] for r in by_key[key])
                fresh = [number for number in own if number not in seen]
                seen.update(fresh)
                return "".join(f"{space}[{n}](cite:{n})" for n in fresh)

            return _SPACED_MARKER.sub(link, sentence)

        done = [
            replace(
                block,
                text=_joined(block, map(numbered, block.sentences(), sentences)),
            )
            if sentences
            else block
            for block, sentences in zip(blocks, cited, strict=True)
        ]
        captioned = self._with_captions(done, cited, numbers)
        markdown = join_blocks(captioned)
        return markdown, tuple(self._cut(key, lines) for key, lines in places)

    def _with_captions(
        self,
        blocks: Sequence[MarkdownBlock],
        cited: Sequence[list[Cited]],
        numbers: Mapping[tuple[str, LineRange], int],
    ) -> Iterator[MarkdownBlock]:
        """Yield blocks, with the path and lines of copied code above it.

        A line that is there only to cite the code gives way to them.
        """
        kept: list[MarkdownBlock] = []
        for at, block in enumerate(blocks):
            above = cited[at - 1][-1] if at and cited[at - 1] else {}
            caption = ""
            if block.kind == "fence":
                caption = self._caption(block.text, above, numbers)
            if caption:
                if kept and _ONLY_PATH.fullmatch(kept[-1].text):
                    kept.pop()
                kept.append(MarkdownBlock("paragraph", caption))
            kept.append(block)
        yield from kept

    def _caption(
        self,
        code: str,
        cited: Cited,
        numbers: Mapping[tuple[str, LineRange], int],
    ) -> str:
        """Return path and lines of code that what stands above it cites, else ''."""
        for key in cited:
            passage = self._passages[key]
            if (found := lines_of_code(code, passage.text)) is None:
                continue
            first, last = (passage.start_line + at for at in found)
            around = [
                (lines[1] - lines[0], number)
                for (other, lines), number in numbers.items()
                if other == key and lines[0] <= first and last <= lines[1]
            ]
            if around:
                span = f"{first}-{last}" if first < last else f"{first}"
                place = code_text(one_line(f"{passage.path}:{span}"))
                number = min(around)[1]
                return f"`{place}` [{number}](cite:{number})"
        return ""

    def _cited(self, blocks: Sequence[MarkdownBlock]) -> Iterator[list[Cited]]:
        """Yield for each block what each of its sentences cites, nothing for code.

        What goes on with what stands before it, a sentence or code, has its lines of
        the same passage, too, as rows below a sentence do; what leads to code has
        these lines.
        """
        before: Cited = {}
        leans = False
        for block, following in zip_longest(blocks, blocks[1:]):
            found: list[Cited] = []
            for sentence in () if block.kind == "fence" else block.sentences():
                own = {key: self._of(sentence, key) for key in MARKER.findall(sentence)}
                is_row = block.kind == "table"
                leans = leans or bool(found and LEANS.match(plain(sentence)))
                if is_row or leans:
                    own = {k: _united(own[k], before.get(k, ())) for k in own}
                found.append(own)
                before = before if is_row else own or before
                leans = False
            if found and following is not None and following.kind == "fence":
                found[-1] = {k: self._with_code(found[-1], k, following) for k in own}
            leans = block.kind == "fence"
            yield found

    def _of(self, sentence: str, key: str) -> Ranges:
        if (sentence, key) not in self._ranges:
            found = bearing_lines(sentence, self._passages[key])
            self._ranges[sentence, key] = found
        return self._ranges[sentence, key]

    def _with_code(self, cited: Cited, key: str, code: MarkdownBlock) -> Ranges:
        """Return what a sentence cites of a passage, with the code below it."""
        passage = self._passages[key]
        found = lines_of_code(code.text, passage.text)
        if found is None:
            return cited[key]
        first, last = (passage.start_line + at for at in found)
        return _united(cited[key], [(first, last)])

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
        if is_near and max(end, last) - group[0][0] < WHOLE_LINES:
            group.append((first, last))
            continue
        if group:
            yield group
        group = [(first, last)]
    if group:
        yield group


def _joined(block: MarkdownBlock, pieces: Iterable[str]) -> str:
    return join_sentences(pieces) if block.is_prose else "\n".join(pieces)


def _united(some: Ranges, others: Iterable[LineRange]) -> Ranges:
    """Return places, and of others those that are not within them."""
    more = [
        (first, last)
        for first, last in others
        if not any(a <= first and last <= b for a, b in some)
    ]
    return tuple(joined([*some, *more])) if more else some
