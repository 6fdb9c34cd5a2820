"""Joins the citations of a sentence whose lines stand together: one mark for each.

What a sentence or a row of a table cites stays cited, with the same lines and those
between them. Marks further apart stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from devrag.wiki.evidence.blocks import MarkdownBlock, join_blocks, split_blocks
from devrag.wiki.evidence.page_evidence import MARKER, EvidenceBook, EvidenceItem

_MOST_LINES = 16  # of what is joined: a reader sees them at once
_MOST_BETWEEN = 2


def join_citations(markdown: str, book: EvidenceBook) -> str:
    """Return the page with fewer marks; book: gets the lines that are joined."""
    items = {item.id: item for item in book.items}
    blocks = [_joined(block, book, items) for block in split_blocks(markdown)]
    return join_blocks(blocks)


def _joined(
    block: MarkdownBlock, book: EvidenceBook, items: Mapping[str, EvidenceItem]
) -> MarkdownBlock:
    if block.kind in {"fence", "heading"}:
        return block
    text, done = block.text, 0
    for unit in block.sentences():
        shorter = _in_unit(unit, book, items)
        at = text.index(unit, done)
        text = text[:at] + shorter + text[at + len(unit) :]
        done = at + len(shorter)
    return replace(block, text=text)


def _in_unit(unit: str, book: EvidenceBook, items: Mapping[str, EvidenceItem]) -> str:
    """Return a sentence or row with each of its places cited once, where it is last.

    A name in a list keeps its own mark; a row is cited at its first cell.
    """
    cited = MARKER.findall(unit)
    if len(cited) < 2:
        return unit
    known = [items[key] for key in dict.fromkeys(cited) if key in items]
    stands_for = _clusters(known, book)
    is_row = unit.lstrip().startswith("|")
    wanted = [stands_for.get(key, key) for key in cited]
    seen: set[int] = set()
    for place, key in enumerate(wanted):
        same = [n for n, other in enumerate(wanted) if other == key]
        if place == (same[0] if is_row else same[-1]):
            seen.add(place)
    return _rewritten(unit, wanted, seen)


def _rewritten(unit: str, wanted: Sequence[str], kept: set[int]) -> str:
    """Return the text with the wanted marks at the kept places and none elsewhere."""
    pieces, at = [], 0
    for place, match in enumerate(MARKER.finditer(unit)):
        before = unit[at : match.start()]
        if place in kept:
            pieces += [before, f"[[{wanted[place]}]]"]
        else:
            pieces.append(before.removesuffix(" "))
        at = match.end()
    return "".join([*pieces, unit[at:]])


def _clusters(items: Sequence[EvidenceItem], book: EvidenceBook) -> Mapping[str, str]:
    """Return mark → the mark of the joined lines that stand for it."""
    ordered = sorted(items, key=lambda i: (i.file, i.start_line, i.end_line))
    groups: list[list[EvidenceItem]] = []
    for item in ordered:
        if groups and _stands_with(groups[-1], item):
            groups[-1].append(item)
        else:
            groups.append([item])
    found: dict[str, str] = {}
    for group in (g for g in groups if len(g) > 1):
        end = max(each.end_line for each in group)
        whole = book.hold(group[0].file, group[0].start_line, end)
        found |= {each.id: whole.id for each in group}
    return found


def _stands_with(group: Sequence[EvidenceItem], item: EvidenceItem) -> bool:
    end = max(each.end_line for each in group)
    is_near = item.file == group[0].file and item.start_line <= end + _MOST_BETWEEN + 1
    span = max(end, item.end_line) - group[0].start_line + 1
    return is_near and span <= _MOST_LINES
