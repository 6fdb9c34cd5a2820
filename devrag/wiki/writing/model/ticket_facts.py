"""What a model is told of the open tickets of a topic, beside their table.

The table has titles and states; its first paragraph says what a ticket is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.passages import is_telling
from devrag.wiki.analysis.prose import cited, clean
from devrag.wiki.analysis.tickets import Ticket, blocks_of_ticket, tickets_of_topics
from devrag.wiki.evidence.blocks import MarkdownBlock
from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.planning.plan import PlannedPage
from devrag.wiki.writing.model.facts import FactSection
from devrag.wiki.writing.structural.other_kinds import is_on_tickets
from devrag.wiki.writing.structural.ticket_tables import MOST_TICKETS


def with_ticket_facts(
    sections: Sequence[FactSection],
    analysis: Analysis,
    page: PlannedPage,
    book: EvidenceBook,
) -> list[FactSection]:
    """Return the facts of a page, with what its open tickets are about."""
    if page.topic is None:
        return list(sections)
    found = tickets_of_topics(analysis).get(page.topic, ())[:MOST_TICKETS]
    more = tuple(_facts(analysis, found, book))
    return [
        replace(each, more=(*each.more, *more)) if is_on_tickets(each.title) else each
        for each in sections
    ]


def _facts(
    analysis: Analysis, tickets: Sequence[Ticket], book: EvidenceBook
) -> Iterator[MarkdownBlock]:
    for ticket in tickets:
        title = clean(ticket.facts.title, analysis.names)
        blocks = blocks_of_ticket(analysis, ticket.file)
        told = (b for b in blocks if b.kind == "text" and is_telling(b.text))
        if (block := next(told, None)) is not None:
            text = f"{title}: {clean(block.text, analysis.names)}"
            marker = book.cite(ticket.file.id, block.start_line, block.end_line)
            yield MarkdownBlock("item", cited(text, marker), "- ")
