"""Sets citations to the lines that bear the sentence, at most 40 each.

An item of code with up to 40 lines is cited whole. Of a longer one the smallest
definition is cited that the sentence names, of a longer section of a document the
fewest paragraphs, if they show what the item shows of the sentence; else all of up to
120 lines, in pieces. Of what is longer these are windows, each completed to its block
or paragraph, and the head of the definition that they are in. Of definitions with one
name those are cited that show most of the sentence. A sentence that these lines do not
bear may be set wide: it cites all of its items, up to 120 lines of each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from devrag.wiki.analysis.prose import join_sentences
from devrag.wiki.checking.shown_names import is_shown, missing_names
from devrag.wiki.evidence.blocks import join_blocks, split_blocks
from devrag.wiki.evidence.page_evidence import (
    MARKER,
    MOST_LINES,
    EvidenceBook,
    EvidenceItem,
)
from devrag.wiki.writing.model.line_blocks import (
    LineRange,
    completed,
    joined,
    passages,
    pieces_of,
    without_blank_end,
)
from devrag.wiki.writing.model.sentence_terms import (
    best_window,
    is_name,
    shown_terms,
    terms_of,
)
from devrag.wiki.writing.model.validators import said_as
from devrag.wiki.writing.model.whole_places import Whole

_RUN = re.compile(r"\[\[E\d+\]\](?:\s*\[\[E\d+\]\])*")
_MOST_WINDOWS = 3
_CORES = 16, MOST_LINES  # lines; the shorter one can still be completed
_WORTH_A_WINDOW = 0.15  # of what an item shows of a sentence
_OF_WORDS = 0.8  # of a sentence's words in an item, for a part of it to bear it
_GUESSED = 0.3  # so little of a sentence tells not where it is borne
_TOLD = 0.6  # so much of a sentence tells which paragraph it is from
_MOST_PIECES = 3
_TINY, _SMALL = 6, 20  # lines


@dataclass(frozen=True, slots=True)
class CitationSpans:
    """Knows what is whole in the files of a page's evidence. wholes: of a file."""

    book: EvidenceBook
    wholes: Callable[[int], Sequence[Whole]]

    def whole(self, item: EvidenceItem) -> EvidenceItem:
        """Return an item with the rest of the short definition that it is a part of."""
        start, end = self._completed(item)
        if (start, end) == (item.start_line, item.end_line):
            return item
        lines = self.book.lines(item.file)[start - 1 : end]
        return replace(item, start_line=start, end_line=end, excerpt="\n".join(lines))

    def narrowed(
        self,
        markdown: str,
        known: frozenset[str] = frozenset(),
        wide: frozenset[str] = frozenset(),
    ) -> str:
        """Return a page with each marker pointing at the lines that bear its sentence.

        known, wide: sentences, as `said_as` has them, whose citations stay, and those
        that cite all of their items.
        """
        items = {item.id: item for item in self.book.items}
        blocks = []
        for block in split_blocks(markdown):
            if block.is_prose:
                told = (
                    sentence
                    if said_as(sentence) in known and self._are_short(sentence, items)
                    else self._narrowed(sentence, items, wide)
                    for sentence in block.sentences()
                )
                block = replace(block, text=join_sentences(told))  # noqa: PLW2901
            blocks.append(block)
        return join_blocks(blocks)

    def _are_short(self, sentence: str, items: Mapping[str, EvidenceItem]) -> bool:
        cited = (items[key] for key in MARKER.findall(sentence))
        return all(size_of(item) <= MOST_LINES for item in cited)

    def _narrowed(
        self, sentence: str, items: Mapping[str, EvidenceItem], wide: frozenset[str]
    ) -> str:
        is_wide = said_as(sentence) in wide

        def point(match: re.Match[str]) -> str:
            cited = [items[key] for key in MARKER.findall(match.group())]
            places = self._places(sentence, cited, is_wide=is_wide)
            held = (self.book.hold(file, *lines) for file, lines in places)
            return " ".join(dict.fromkeys(f"[[{item.id}]]" for item in held))

        return _RUN.sub(point, sentence)

    def excerpts(
        self, sentence: str, items: Sequence[EvidenceItem], *, is_wide: bool = False
    ) -> list[tuple[EvidenceItem, str]]:
        """Return the lines that a sentence will cite, each with an item that has some.

        items: those that it cites now. is_wide: it cites all of them.
        """
        first = {item.file: item for item in reversed(items)}
        return [
            (first[file], "\n".join(self.book.lines(file)[start - 1 : end]))
            for file, (start, end) in self._places(sentence, items, is_wide=is_wide)
        ]

    def _places(
        self, sentence: str, items: Iterable[EvidenceItem], *, is_wide: bool
    ) -> Iterator[tuple[int, LineRange]]:
        """Yield the file and the lines that bear a sentence."""
        ranges_of = self._wide_ranges if is_wide else self.ranges
        by_file: dict[int, list[LineRange]] = {}
        for item in items:
            by_file.setdefault(item.file, []).extend(ranges_of(sentence, item))
        for file, ranges in by_file.items():
            for lines in joined(ranges, MOST_LINES):
                yield file, without_blank_end(self.book.lines(file), lines)

    def _wide_ranges(self, sentence: str, item: EvidenceItem) -> list[LineRange]:
        """Return all of an item in pieces, of a long one those that bear a sentence."""
        around = self._completed(item)
        pieces = pieces_of(self.book.lines(item.file), around, MOST_LINES)
        if _size(around) <= _MOST_PIECES * MOST_LINES:
            return pieces
        found = self.ranges(sentence, item)
        pieces.sort(key=lambda piece: -sum(_shared(piece, each) for each in found))
        return pieces[:_MOST_PIECES]

    def ranges(self, sentence: str, item: EvidenceItem) -> list[LineRange]:
        """Return the lines of an item that bear a sentence, the best first."""
        around = self._completed(item)
        if _size(around) <= MOST_LINES and self._is_code(item.file):
            return [around]
        terms = terms_of(sentence)
        shown = shown_terms(terms, self._lines(item, around))
        parts = self._parts(item.file, terms)
        is_told = sum(shown.values()) >= _TOLD * sum(terms.values())
        if is_told and _size(around) > _SMALL:
            parts += self._passages(item, around)
        bearing = [p for p in parts if self._is_borne(shown, item, p, around)]
        bearing += [around] if _size(around) <= MOST_LINES else []
        if bearing:
            best = min(bearing, key=_size)
            return self._overloads(item, best, shown) or [best]
        has_name = any(map(is_name, shown.values()))
        is_guessed = sum(shown.values()) < _GUESSED * sum(terms.values())
        is_short = _size(around) <= _MOST_PIECES * MOST_LINES
        if is_short or (not has_name and is_guessed):
            lines = self.book.lines(item.file)
            pieces = pieces_of(lines, around, MOST_LINES)
            return pieces if is_short else pieces[:_MOST_PIECES]
        each = [list(self._windows(item, around, shown, core)) for core in _CORES]
        found = max(each, key=lambda windows: self._worth(shown, item, windows))
        found += self._of_lost_names(sentence, item, found)
        return [*found, *self._head(item.file, found[0])]

    def _is_code(self, file: int) -> bool:
        return any(whole.name for whole in self.wholes(file))

    def _parts(self, file: int, terms: Mapping[str, float]) -> list[LineRange]:
        """Return the sections of a file, and the definitions of these names.

        A constructor with the name of its type is none of its own.
        """
        named = [w for w in self.wholes(file) if w.name.casefold() in {"", *terms}]
        return [
            (whole.start_line, whole.end_line)
            for whole in named
            if not any(
                whole.name and other.name == whole.name and _is_around(other, whole)
                for other in named
            )
        ]

    def _passages(self, item: EvidenceItem, around: LineRange) -> list[LineRange]:
        """Return the runs of paragraphs of a document, nothing of code."""
        if not self.wholes(item.file) or self._is_code(item.file):
            return []
        units = passages(self.book.lines(item.file), around)
        return [
            (first[0], last[1])
            for at, first in enumerate(units)
            for last in units[at:]
            if last[1] - first[0] < MOST_LINES
        ]

    def _overloads(
        self, item: EvidenceItem, best: LineRange, shown: Mapping[str, float]
    ) -> list[LineRange]:
        """Return those that share a part's name and show most; nothing of one alone.

        Each of them shows what those before it do not.
        """
        same = self._namesakes(item, best)
        total = sum(shown.values())
        left, found = dict(shown), list[LineRange]()
        while len(same) > len(found) < _MOST_PIECES:
            worth = {part: self._worth(left, item, [part]) for part in same}
            most = max(same, key=lambda part: (worth[part], part == best))
            if found and worth[most] < _WORTH_A_WINDOW * total:
                break
            found.append(most)
            seen = shown_terms(left, self._lines(item, most))
            left = {term: left[term] for term in left if term not in seen}
        return found

    def _namesakes(self, item: EvidenceItem, part: LineRange) -> list[LineRange]:
        """Return the short definitions of an item that share a name with a part of it.

        A type has the name of its constructors: it is none of them.
        """
        around = self._completed(item)
        named = [w for w in self.wholes(item.file) if w.name]
        names = {w.name for w in named if (w.start_line, w.end_line) == part}
        same = [(w.start_line, w.end_line) for w in named if w.name in names]
        same = [p for p in same if _size(p) <= MOST_LINES and _shared(p, around)]
        inner = [p for p in same if not any(p != q and _is_in(q, p) for q in same)]
        return inner if part in inner and len(inner) > 1 else []

    def _is_borne(
        self,
        shown: Mapping[str, float],
        item: EvidenceItem,
        part: LineRange,
        around: LineRange,
    ) -> bool:
        """Return whether a short part of an item shows its names and most words."""
        is_apart = part[1] < around[0] or around[1] < part[0]
        if is_apart or _size(part) > MOST_LINES:
            return False
        seen = shown_terms(shown, self._lines(item, part))
        if any(is_name(shown[term]) for term in shown if term not in seen):
            return False
        words = [term for term in shown if not is_name(shown[term])]
        return sum(term in seen for term in words) >= _OF_WORDS * len(words)

    def _worth(
        self,
        shown: Mapping[str, float],
        item: EvidenceItem,
        windows: Iterable[LineRange],
    ) -> float:
        """Return how much of a sentence windows show together."""
        lines = [line for window in windows for line in self._lines(item, window)]
        return sum(shown_terms(shown, lines).values())

    def _windows(
        self,
        item: EvidenceItem,
        around: LineRange,
        shown: Mapping[str, float],
        core: int,
    ) -> Iterator[LineRange]:
        """Yield the lines that show most, and those of what is left.

        core: most lines of a window before it is completed.
        """
        left, total = dict(shown), sum(shown.values())
        for number in range(_MOST_WINDOWS):
            lines = self._lines(item, around)
            first, last = best_window(left, lines, core)
            window = self._complete(item, around[0] + first, around[0] + last, around)
            seen = shown_terms(left, self._lines(item, window))
            if number and sum(seen.values()) < _WORTH_A_WINDOW * total:
                return
            yield window
            left = {term: left[term] for term in left if term not in seen}
            if not left:
                return

    def _of_lost_names(
        self, sentence: str, item: EvidenceItem, found: Sequence[LineRange]
    ) -> Iterator[LineRange]:
        """Yield the lines of names that an item shows and the found lines do not."""
        place = f"{item.source}/{item.path}"
        told = [place]
        for window in found:
            told += self._lines(item, window)
        for name in missing_names(sentence, told):
            is_lost = not is_shown(name, "\n".join(told), sentence)
            if is_lost and is_shown(name, item.excerpt, sentence):
                terms = terms_of(f"`{name}`")
                lines = item.excerpt.split("\n")
                first, last = best_window(terms, lines, _CORES[0])
                at = item.start_line
                window = self._complete(item, at + first, at + last, self._of(item))
                told += self._lines(item, window)
                yield window

    def _complete(
        self, item: EvidenceItem, first: int, last: int, around: LineRange
    ) -> LineRange:
        """Return the smallest whole around lines, within a long one their block."""
        holding = [w for w in self._wholes(item.file) if w[0] <= first and last <= w[1]]
        lines = self.book.lines(item.file)
        inner = min(holding, key=_size, default=around)
        if _size(inner) > MOST_LINES:
            return completed(lines, (first, last), inner, MOST_LINES)
        return (
            inner if _size(inner) >= _TINY else completed(lines, inner, around, _SMALL)
        )

    def _head(self, file: int, window: LineRange) -> list[LineRange]:
        """Return the head of the long definition that lines are in."""
        long = [
            whole
            for whole in self.wholes(file)
            if whole.start_line <= window[0]
            and window[1] <= whole.end_line
            and whole.name
        ]
        if not long:
            return []
        inner = min(long, key=lambda whole: whole.end_line - whole.start_line)
        if inner.end_line - inner.start_line < MOST_LINES:
            return []  # it is cited as a whole
        return [
            (max(inner.start_line, inner.head_end - MOST_LINES + 1), inner.head_end)
        ]

    def _completed(self, item: EvidenceItem) -> LineRange:
        """Return an item's lines, with the whole that they are a part of if short."""
        own = self._of(item)
        around = [
            lines
            for lines in self._wholes(item.file)
            if lines[0] <= own[0] and own[1] <= lines[1] and _size(lines) <= MOST_LINES
        ]
        return min(around, key=_size, default=own)

    def _wholes(self, file: int) -> list[LineRange]:
        return [(whole.start_line, whole.end_line) for whole in self.wholes(file)]

    def _of(self, item: EvidenceItem) -> LineRange:
        return item.start_line, item.end_line

    def _lines(self, item: EvidenceItem, lines: LineRange) -> list[str]:
        return self.book.lines(item.file)[lines[0] - 1 : lines[1]]


def _is_around(one: Whole, other: Whole) -> bool:
    """Return whether one place has another and more."""
    is_same = (one.start_line, one.end_line) == (other.start_line, other.end_line)
    has_it = one.start_line <= other.start_line and other.end_line <= one.end_line
    return has_it and not is_same


def size_of(item: EvidenceItem) -> int:
    """Return how many lines an item has."""
    return item.end_line - item.start_line + 1


def _shared(one: LineRange, other: LineRange) -> int:
    return max(0, min(one[1], other[1]) - max(one[0], other[0]) + 1)


def _is_in(inner: LineRange, outer: LineRange) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _size(lines: LineRange) -> int:
    return lines[1] - lines[0] + 1
