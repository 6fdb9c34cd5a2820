"""The structural page as sections: facts for the model, and what stands without it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from devrag.wiki.evidence.blocks import (
    MarkdownBlock,
    cells_of,
    join_blocks,
    links_in,
    plain,
    split_blocks,
    table_of,
    without_empty_headings,
)
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.writing.model.language import is_in_language

_KEY = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(")
_SPAN = re.compile(r"`([^`]+)`")
_NUMBERED = re.compile(r"^\s*\d")


@dataclass(frozen=True, slots=True)
class FactSection:
    """One section of the structural page; the introduction has no title.

    more: facts for the model alone, never shown as they are.
    """

    id: str
    title: str
    blocks: tuple[MarkdownBlock, ...]
    more: tuple[MarkdownBlock, ...] = ()

    @property
    def markdown(self) -> str:
        blocks = (*self.blocks, *self.more)
        return join_blocks(blocks) if blocks else ""

    @property
    def is_navigation(self) -> bool:
        """Return whether it only lists pages.

        Nothing that a model could tell better.
        """
        pages = (b.kind == "item" and b.text.startswith("[") for b in self.blocks)
        return bool(self.blocks) and all(pages)

    @property
    def evidence(self) -> list[str]:
        """Return the ids that it cites, in order."""
        return list(dict.fromkeys(MARKER.findall(self.markdown)))


def split_sections(markdown: str) -> list[FactSection]:
    """Return introduction and sections of a page, its title left aside."""
    titles, bodies = [""], [list[MarkdownBlock]()]
    for block in split_blocks(markdown):
        if block.kind == "heading" and len(block.lead) == 1:
            continue
        if block.kind == "heading" and len(block.lead) == 2:
            titles.append(block.text)
            bodies.append([])
        else:
            bodies[-1].append(block)
    return [
        FactSection(f"S{number}", title, tuple(body))
        for number, (title, body) in enumerate(zip(titles, bodies, strict=True), 1)
    ]


def left_to_show(
    sections: Iterable[FactSection],
    written: str,
    language: str,
    summaries: Mapping[str, str],
) -> list[MarkdownBlock]:
    """Return what the index knows and the model did not tell: nothing is lost.

    Diagrams and code blocks; entries and rows whose name the text does not mention.
    """
    kept: list[MarkdownBlock] = []
    for section in sections:
        kept += _left_of(section.blocks, written, language)
    return without_empty_headings([in_language(b, language, summaries) for b in kept])


def _left_of(
    blocks: tuple[MarkdownBlock, ...], written: str, language: str
) -> list[MarkdownBlock]:
    steps = [b for b in blocks if b.kind == "item" and _NUMBERED.match(b.lead)]
    is_told = all(_is_named(step.text, written) for step in steps)
    kept: list[MarkdownBlock] = []
    for at, block in enumerate(blocks):
        if block.kind == "fence":
            kept += _with_caption(blocks, at, written, language)
        elif block.kind == "heading":
            kept.append(block)
        elif block.kind == "table":
            kept += _rows_left(block, written)
        elif block.kind == "item":
            told = is_told if block in steps else _is_named(block.text, written)
            if not told:
                kept.append(block)
    return kept


def _rows_left(table: MarkdownBlock, written: str) -> list[MarkdownBlock]:
    head, *rows = cells_of(table)
    left = [row for row in rows if not _is_row_told(row, written)]
    return [table_of([head, *left])] if left else []


def _is_row_told(row: Sequence[str], written: str) -> bool:
    """Return whether a text names what a row is about, and all that its cells list."""
    names = (_SPAN.findall(cell) for cell in row[1:])
    listed = (f"`{name}`" for each in names if len(each) > 1 for name in each)
    return all(_is_named(entry, written) for entry in (row[0], *listed))


def _is_named(entry: str, written: str) -> bool:
    found = _KEY.search(entry)
    if found is None:
        return plain(entry) in written
    key = next(group for group in found.groups() if group).strip("`*")
    bare = re.escape(key.removesuffix("()"))
    return re.search(rf"(?<![\w.]){bare}(?!\w)", written) is not None


def _with_caption(
    blocks: tuple[MarkdownBlock, ...], at: int, written: str, language: str
) -> list[MarkdownBlock]:
    """Return a fence unless it was written, with the sentence that explains it."""
    fence, before = blocks[at], blocks[at - 1] if at else None
    if fence.text.strip() in written:
        return []
    if before is None or before.kind != "paragraph":
        return [fence]
    caption = plain(before.text)
    is_wanted = fence.lead == "mermaid" and is_in_language(caption, language, fewest=1)
    return [before, fence] if is_wanted and caption not in written else [fence]


def in_language(
    item: MarkdownBlock, language: str, summaries: Mapping[str, str]
) -> MarkdownBlock:
    """Return an entry; of one in another language its name, evidence and summary.

    Of a table's cells in another language the evidence stays. summaries: what finished
    pages tell, by the link to them.
    """
    if item.kind == "table":
        head, *rows = cells_of(item)
        return table_of([head, *(_row_in(row, language) for row in rows)])
    if item.kind != "item" or is_in_language(item.text, language, fewest=1):
        return item
    return replace(item, text=_entry_in(item.text, summaries))


def _entry_in(text: str, summaries: Mapping[str, str]) -> str:
    found = _KEY.search(text)
    if found is None:
        return text
    link = links_in(text[found.start() :])[:1] if found.group(3) else []
    end = text.index(")", found.end()) + 1 if link else found.end()
    head = text[:end]
    head += "**" if head.count("**") % 2 else ""
    ids = [f"[[{key}]]" for key in MARKER.findall(text)]
    told = [f": {summaries[target]}" for _, target in link if target in summaries]
    return " ".join(["".join([head, *told]), *ids])


def _row_in(row: Sequence[str], language: str) -> list[str]:
    return [
        cell
        if not at or is_in_language(cell, language, fewest=1)
        else " ".join(f"[[{key}]]" for key in MARKER.findall(cell))
        for at, cell in enumerate(row)
    ]
