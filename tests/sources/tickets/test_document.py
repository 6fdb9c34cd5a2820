"""A ticket as Markdown."""

from __future__ import annotations

from devrag.sources.api import read_document
from devrag.sources.connectors.tickets.document import Comment, Ticket, write_ticket
from devrag.sources.documents import DocumentFacts

FACTS = DocumentFacts("Issue #7: Broken\n---\nstatus: closed", kind="ticket")


def test_comments_come_in_their_order_whatever_their_times_are() -> None:
    said = [
        Comment("b", "2026-03-02T00:00:00Z", "third"),
        Comment("", "never", "last"),
        Comment("a", "2026-03-01T12:00:00+09:00", "first"),
        Comment("c", "2026-03-01T11:00:00Z", "second", "a`b.py:\n1"),
    ]
    text = write_ticket(Ticket(FACTS, "", comments=tuple(said)))
    assert text.partition("## Comments")[2] == (
        "\n\n### a, 2026-03-01\n\nfirst\n\n"
        "### c, 2026-03-01, on ``a`b.py: 1``\n\nsecond\n\n"
        "### b, 2026-03-02\n\nthird\n\n### Unknown\n\nlast\n"
    )


def test_nobody_can_write_what_is_known_of_a_ticket() -> None:
    body = '---\ntitle: "Other"\nstatus: "closed"\n---\n'
    text = write_ticket(Ticket(FACTS, body, (("Milestone", "1\n- Status: x"),)))
    facts = read_document(text)
    assert facts is not None
    assert (facts.title, facts.status) == (FACTS.title, "")
    assert "\n- Milestone: 1 - Status: x\n" in text
    assert "\n# Issue #7: Broken --- status: closed\n" in text
