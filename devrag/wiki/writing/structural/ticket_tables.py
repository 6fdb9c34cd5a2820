"""The open tickets on the page of their topic, and by topic on the front page."""

from __future__ import annotations

from collections.abc import Sequence

from devrag.wiki.analysis.prose import clean
from devrag.wiki.analysis.tickets import Ticket, open_tickets, tickets_of_topics
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.document_heads import DAY, cite_head
from devrag.wiki.writing.structural.other_kinds import TICKETS_TITLE
from devrag.wiki.writing.structural.tables import table

MOST_TICKETS = 8


def tickets_of_topic(ctx: PageContext, index: int) -> list[str]:
    """Return the open tickets about a topic, the newest first, [] for none."""
    found = tickets_of_topics(ctx.analysis).get(index, ())
    if not found:
        return []
    more = len(found) - MOST_TICKETS
    older = ctx.counted(more, "older ticket")
    rest = [ctx.say("{tickets} are open, too.", tickets=older)] if more > 0 else []
    return [f"## {ctx.say(TICKETS_TITLE)}", *_table(ctx, found[:MOST_TICKETS]), *rest]


def tickets_by_topic(ctx: PageContext) -> list[str]:
    """Return how many tickets are open about each topic, and those about none."""
    by_topic = tickets_of_topics(ctx.analysis)
    held = {ticket for tickets in by_topic.values() for ticket in tickets}
    others = [each for each in open_tickets(ctx.analysis) if each not in held]
    head = [ctx.say("Topic"), ctx.say("Open tickets"), ctx.say("The newest")]
    ranked = sorted(by_topic, key=lambda topic: (-len(by_topic[topic]), topic))
    rows = [
        [ctx.topic(n), str(len(by_topic[n])), _title(ctx, by_topic[n][0])]
        for n in ranked
    ]
    if not rows and not others:
        return []
    title = f"## {ctx.say(TICKETS_TITLE)}"
    rest = _table(ctx, others[:MOST_TICKETS])
    intro = [ctx.say("About none of these topics:")] if rest and rows else []
    return [title, *table(head, rows), *intro, *rest]


def _table(ctx: PageContext, tickets: Sequence[Ticket]) -> list[str]:
    head = [ctx.say("Ticket"), ctx.say("Status"), ctx.say("Open since")]
    names = ctx.analysis.names
    rows = [
        [
            _title(ctx, each),
            clean(each.facts.status, names),
            each.facts.created[:DAY],
        ]
        for each in tickets
    ]
    return table(head, rows)


def _title(ctx: PageContext, ticket: Ticket) -> str:
    title = clean(ticket.facts.title, ctx.analysis.names)
    return title + cite_head(ctx, ticket.file.id, "title", "created")
