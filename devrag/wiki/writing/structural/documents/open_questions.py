"""The page on what is open, and what a topic's page tells of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from devrag.wiki.analysis.document_facts import title_of
from devrag.wiki.analysis.open_questions import (
    OpenQuestion,
    OpenTicket,
    open_questions,
    open_tickets_by_date,
)
from devrag.wiki.analysis.prose import cited, clean
from devrag.wiki.planning.page_kind import Places
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documents.items import document_item

_MOST, _MOST_OF_TOPIC = 120, 8


def write_open_questions(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    tickets = open_tickets_by_date(ctx.analysis)
    found = open_questions(ctx.analysis)
    intro = ctx.say("The documents leave {found} open.", found=_counted(ctx))
    blocks = [f"# {ctx.page.title}", intro]
    if tickets:
        items = [_ticket(ctx, ticket) for ticket in tickets[:_MOST]]
        blocks += [ctx.say("## Open tickets"), "\n".join(items), _rest(ctx, tickets)]
    if found:
        blocks.append(ctx.say("## Left open in documents"))
    for file, own in groupby(found[:_MOST], key=lambda each: each.file):
        title, _ = title_of(ctx.analysis, ctx.analysis.files[file])
        blocks.append(f"### {clean(title, ctx.analysis.names)}")
        blocks.append("\n".join(_question(ctx, each) for each in own))
    return [*blocks, _rest(ctx, found)] if found else blocks


def count_questions(ctx: PageContext) -> Places:
    """Return how much is open for the summary."""
    return {"found": _counted(ctx)}


def questions_section(ctx: PageContext, index: int) -> list[str]:
    """Return what the documents of a topic leave open."""
    own = {file.id for file in ctx.analysis.topics[index].files}
    tickets = [t for t in open_tickets_by_date(ctx.analysis) if t.file.id in own]
    found = [each for each in open_questions(ctx.analysis) if each.file in own]
    items = [_ticket(ctx, ticket) for ticket in tickets[:_MOST_OF_TOPIC]]
    items += [_question(ctx, each) for each in found[: _MOST_OF_TOPIC - len(items)]]
    return [ctx.say("## Open questions"), "\n".join(items)] if items else []


def _counted(ctx: PageContext) -> str:
    tickets = len(open_tickets_by_date(ctx.analysis))
    questions = len(open_questions(ctx.analysis))
    told = [ctx.counted(tickets, "ticket")] if tickets else []
    told += [ctx.counted(questions, "point")] if questions else []
    return ctx.listed(told)


def _rest(ctx: PageContext, found: Sequence[object]) -> str:
    left = len(found) - _MOST
    return (
        ctx.say("There are {count} more of this kind.", count=left) if left > 0 else ""
    )


def _ticket(ctx: PageContext, ticket: OpenTicket) -> str:
    day = f"{ticket.date.isoformat()}: " if ticket.date else ""
    return f"- {day}{document_item(ctx, ticket.file)}"


def _question(ctx: PageContext, each: OpenQuestion) -> str:
    marker = ctx.book.cite(each.file, each.start_line, each.end_line)
    return f"- {cited(each.text, marker)}"
