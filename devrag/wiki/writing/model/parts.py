"""What a section is given, part by part: facts and items of evidence.

Neither numbers of evidence count nor lines, so a part that only moved is no news.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from devrag.wiki.evidence.blocks import MarkdownBlock, cells_of, join_blocks, table_of
from devrag.wiki.evidence.citations import render_citations
from devrag.wiki.evidence.digests import evidence_digest, telling_digest
from devrag.wiki.evidence.page_evidence import EvidenceItem

_DIGITS = 16  # of a digest: parts are told apart within one section


@dataclass(frozen=True, slots=True)
class SectionInput:
    """A block of facts, or an item of evidence."""

    digest: str
    block: MarkdownBlock | None = None
    item: EvidenceItem | None = None

    @property
    def text(self) -> str:
        """Return what of it stands in a prompt."""
        return self.block.text if self.block else self.item.excerpt if self.item else ""


def parts_of(
    facts: Iterable[MarkdownBlock],
    items: Iterable[EvidenceItem],
    book: Sequence[EvidenceItem],
) -> list[SectionInput]:
    """Return the parts of a section. book: all evidence, which facts cite."""
    found = [
        SectionInput(_digest(row, book), block=row)
        for block in facts
        for row in _rows(block)
    ]
    found += [
        SectionInput(evidence_digest(item)[:_DIGITS], item=item) for item in items
    ]
    return found


def _rows(block: MarkdownBlock) -> Iterator[MarkdownBlock]:
    if block.kind != "table":
        yield block
        return
    head, *rows = cells_of(block)
    yield from (table_of([head, row]) for row in rows)


def _digest(block: MarkdownBlock, book: Iterable[EvidenceItem]) -> str:
    return telling_digest(*render_citations(join_blocks([block]), book))[:_DIGITS]
