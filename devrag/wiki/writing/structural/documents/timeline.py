"""The page on what happened when: what documents, change logs and minutes date."""

from __future__ import annotations

from itertools import groupby

from devrag.wiki.analysis.dated_entries import DatedEntry, dated_entries
from devrag.wiki.analysis.prose import cited, clean
from devrag.wiki.planning.page_kind import Places
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documents.items import (
    document_item,
    first_sentence_of,
)

_MOST = 200


def write_timeline(ctx: PageContext) -> list[str]:
    """Return the page's blocks, the newest entry first."""
    found = dated_entries(ctx.analysis)
    intro = ctx.say(
        "The documents date {events}, the newest first.",
        events=ctx.counted(len(found), "event"),
    )
    blocks = [f"# {ctx.page.title}", intro]
    for year, entries in groupby(found[:_MOST], key=lambda each: each.day.year):
        blocks += [f"## {year}", "\n".join(_item(ctx, each) for each in entries)]
    if (left := len(found) - _MOST) > 0:
        blocks.append(ctx.say("There are {count} more of this kind.", count=left))
    return blocks


def count_entries(ctx: PageContext) -> Places:
    """Return the number of entries for the summary."""
    return {"count": ctx.counted(len(dated_entries(ctx.analysis)), "event")}


def _item(ctx: PageContext, entry: DatedEntry) -> str:
    line = entry.date_line
    marker = ctx.book.cite(entry.file, line, line) if line else ""
    day = f"- **{entry.day.isoformat()}**{marker}"
    file = ctx.analysis.files[entry.file]
    if entry.section is None:
        return f"{day}: {document_item(ctx, file)}"
    section = ctx.analysis.sections(file)[entry.section]
    title = clean(entry.title, ctx.analysis.names)
    said = first_sentence_of(ctx, file, section.blocks)
    return f"{day}: **{title}**: {said}" if said else f"{day}: {_headed(ctx, entry)}"


def _headed(ctx: PageContext, entry: DatedEntry) -> str:
    """Return the heading of an entry whose text begins with no sentence."""
    sections = ctx.analysis.sections(ctx.analysis.files[entry.file])
    heading = clean(sections[entry.section or 0].title, ctx.analysis.names)
    marker = ctx.book.cite(entry.file, entry.date_line, entry.date_line)
    title = clean(entry.title, ctx.analysis.names)
    return cited(f"**{title}**, {heading}.", marker)
