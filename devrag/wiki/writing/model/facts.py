"""The structural page as facts for the model: text to tell, blocks to show.

A table, a diagram or a block of code is shown where the model asks for it by number. A
fact without evidence is not given: nothing that leans on it could be cited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.evidence.blocks import (
    MarkdownBlock,
    cells_of,
    join_blocks,
    links_in,
    split_blocks,
    table_of,
    without_empty_headings,
)
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.writing.model.language import is_in_language

SHOWN = "shown"  # kind of a block that stands for a fact; its text is the fact's key
_ROWS_GIVEN, _CODE_LINES_GIVEN = 12, 40
_CLICK = re.compile(r"^\s*click\s")  # of a diagram: links that only readers need
_KEY = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(")


@dataclass(frozen=True, slots=True)
class FactSection:
    """One section of the structural page; the introduction has no title.

    more: facts for the model alone, never shown as they are.
    """

    title: str
    blocks: tuple[MarkdownBlock, ...]
    more: tuple[MarkdownBlock, ...] = ()

    @property
    def markdown(self) -> str:
        """Return all of it as Markdown."""
        blocks = (*self.blocks, *self.more)
        return join_blocks(blocks) if blocks else ""

    @property
    def is_navigation(self) -> bool:
        """Return whether it only lists pages: nothing that a model tells better."""
        pages = (b.kind == "item" and b.text.startswith("[") for b in self.blocks)
        return bool(self.blocks) and all(pages)

    @property
    def showable(self) -> dict[str, MarkdownBlock]:
        """Return its tables, diagrams and code by key: its title and their number."""
        shown = [block for block in self.blocks if is_showable(block)]
        return {f"{self.title}/{n}": block for n, block in enumerate(shown, 1)}


def is_showable(block: MarkdownBlock) -> bool:
    """Return whether a fact is shown as it is, not told."""
    return block.kind in {"table", "fence"}


def split_facts(markdown: str) -> list[FactSection]:
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
        FactSection(title, tuple(body))
        for title, body in zip(titles, bodies, strict=True)
    ]


def told_facts(facts: Iterable[FactSection], most: int) -> list[MarkdownBlock]:
    """Return what is given to be told: prose with evidence, within so many tokens."""
    return _within(most, without_empty_headings(list(_told(facts))))


def _told(facts: Iterable[FactSection]) -> Iterator[MarkdownBlock]:
    for section in facts:
        for block in (*section.blocks, *section.more):
            is_known = block.is_prose and MARKER.search(block.text)
            if block.kind == "heading" or is_known:
                yield block


def _within(most: int, blocks: Sequence[MarkdownBlock]) -> list[MarkdownBlock]:
    kept, left = [], most
    for block in blocks:
        left -= estimate_tokens(block.text)
        if left < 0:
            break
        kept.append(block)
    return kept


def outline_of_fact(block: MarkdownBlock) -> str:
    """Return the beginning of a block that may be shown, as a prompt has it."""
    if block.kind == "fence":
        lines = _code_lines(block)
        more = [f"({len(lines) - _CODE_LINES_GIVEN} more lines)"]
        rest = more if len(lines) > _CODE_LINES_GIVEN else []
        return "\n".join([*lines[:_CODE_LINES_GIVEN], *rest])
    head, *rows = cells_of(block)
    text = table_of([head, *rows[:_ROWS_GIVEN]]).text
    more_rows = len(rows) - _ROWS_GIVEN
    return text + (f"\n({more_rows} more rows)" if more_rows > 0 else "")


def is_given_whole(block: MarkdownBlock) -> bool:
    """Return whether a prompt has all of a block."""
    if block.kind == "fence":
        return len(_code_lines(block)) <= _CODE_LINES_GIVEN
    return len(cells_of(block)) - 1 <= _ROWS_GIVEN


def _code_lines(block: MarkdownBlock) -> list[str]:
    lines = block.text.split("\n")
    is_diagram = block.lead == "mermaid"
    return [line for line in lines if not (is_diagram and _CLICK.match(line))]


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
