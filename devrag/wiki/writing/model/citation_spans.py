"""Narrows citations to the lines that bear the sentence, at most 40.

Of an item's lines the window is taken that shows most of the sentence's names and
words, the rare ones counting more, and of equal windows the shortest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from devrag.search.api import is_japanese
from devrag.wiki.checking.shown_names import CODE, is_shown, missing_names
from devrag.wiki.evidence.blocks import join_blocks, plain, split_blocks
from devrag.wiki.evidence.page_evidence import (
    MARKER,
    MOST_LINES,
    EvidenceBook,
    EvidenceItem,
)

_WORD = re.compile(r"[A-Za-z][a-z]{3,}|[A-Z]{2,}|\d{2,}")
_PART = re.compile(r"[A-Za-z_]\w*")
_KANJI = re.compile("[\u30a1-\u30fe\u3400-\u9fff]{2,}")
_STOP = {
    *("this", "that", "with", "from", "into", "when", "which", "what", "they", "their"),
    *("each", "have", "been", "more", "than", "then", "them", "also", "used", "uses"),
}
_OF_A_NAME = 3.0
_PER_LINE = 0.04  # what a line must add to be worth citing


def narrow_citations(markdown: str, book: EvidenceBook) -> str:
    """Return the page with each marker pointing at the lines that bear its sentence."""
    items = {item.id: item for item in book.items}
    blocks = []
    for block in split_blocks(markdown):
        if block.is_prose:
            told = (_narrowed(s, items, book) for s in block.sentences())
            block = replace(block, text=" ".join(told))  # noqa: PLW2901
        blocks.append(block)
    return join_blocks(blocks)


def _narrowed(
    sentence: str, items: Mapping[str, EvidenceItem], book: EvidenceBook
) -> str:
    def point(match: re.Match[str]) -> str:
        item = items[match.group(1)]
        held = (
            book.hold(item.file, item.start_line + first, item.start_line + last)
            for first, last in _windows(sentence, item)
        )
        return " ".join(f"[[{each.id}]]" for each in held)

    return MARKER.sub(point, sentence)


def _windows(sentence: str, item: EvidenceItem) -> Iterator[tuple[int, int]]:
    """Yield the lines that bear a sentence, and those of a name that they lack."""
    first, last = bearing_lines(sentence, item.excerpt)
    yield first, last
    window = item.excerpt.split("\n")[first : last + 1]
    place = f"{item.source}/{item.path}"
    lost = [
        name
        for name in missing_names(sentence, [place, *window])
        if is_shown(name, f"{place}\n{item.excerpt}")
    ]
    if lost:
        yield bearing_lines(" ".join(f"`{name}`" for name in lost), item.excerpt)


def bearing_lines(sentence: str, excerpt: str) -> tuple[int, int]:
    """Return first and last line (from 0) of the excerpt that bear the sentence."""
    lines = excerpt.split("\n")
    terms = terms_of(sentence)
    held = [{t for t in terms if t in line.casefold()} for line in lines]
    common = Counter(term for line in held for term in line)
    weights = {t: terms[t] * (1 + 1 / common[t]) for t in common}
    best, at = 0.0, (0, min(len(lines), MOST_LINES) - 1)
    for start, shown in enumerate(held):
        if not shown:
            continue
        seen: set[str] = set()
        worth = 0.0
        for end in range(start, min(start + MOST_LINES, len(lines))):
            worth += sum(weights[t] for t in held[end] - seen)
            seen |= held[end]
            value = worth - _PER_LINE * (end - start)
            if value > best + 1e-9:
                best, at = value, (start, end)
    return at


def terms_of(sentence: str) -> dict[str, float]:
    """Return what to look for, lower-cased, with its weight."""
    bare = plain(sentence)
    names = [p for m in CODE.finditer(bare) for p in _PART.findall(m.group(2))]
    prose = CODE.sub(" ", bare)
    words = [w for w in _WORD.findall(prose) if w.casefold() not in _STOP]
    if is_japanese(prose):
        words += [
            run[i : i + 2] for run in _KANJI.findall(prose) for i in range(len(run) - 1)
        ]
    found = dict.fromkeys((w.casefold()[:12] for w in words), 1.0)
    return found | dict.fromkeys((n.casefold() for n in names), _OF_A_NAME)
