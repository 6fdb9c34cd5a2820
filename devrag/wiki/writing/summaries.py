"""One sentence per page: for the contents and for whoever links to it."""

from __future__ import annotations

from devrag.wiki.plan import PlannedPage, documents
from devrag.wiki.prose import counted
from devrag.wiki.writing.context import PageContext
from devrag.wiki.writing.feature import purpose
from devrag.wiki.writing.inventory import counts, counts_of
from devrag.wiki.writing.mentions import first_of

_KINDS = {
    "interfaces": "What can be called from outside: {}.",
    "data-model": "Which data there is, and in which shape: {}.",
    "configuration": "What can be set, and where it is read: {}.",
}


def part_summary(ctx: PageContext, part: int) -> str:
    """Return the first sentence of what a part is for, cited; '' when unknown."""
    said = purpose(ctx, ctx.analysis.parts[part])
    if not said:
        return ""
    first = first_of(said[0])
    name = ctx.analysis.parts[part].name
    head, colon, rest = first.partition(": ")
    is_own_name = colon and head.lower() in {name.lower(), f"the {name.lower()}"}
    return rest[0].upper() + rest[1:] if is_own_name and rest else first


def topic_summary(ctx: PageContext, page: PlannedPage) -> str:
    """Return one sentence on what a page that is no feature holds."""
    analysis = ctx.analysis
    if page.kind == "interfaces":
        found = counts_of(ctx.analysis.doors)
        return _KINDS[page.kind].format(found)
    if page.kind == "data-model":
        return _KINDS[page.kind].format(counts(ctx, "model"))
    if page.kind == "configuration":
        found = counts(ctx, "setting") or counted(len(page.files), "configuration file")
        return _KINDS[page.kind].format(found)
    if page.kind == "testing":
        tests = counted(len(analysis.with_role("test")), "test file")
        return f"How it is tested: {tests}, what they exercise and what they do not."
    if page.kind == "documentation":
        count = counted(len(documents(analysis)), "document")
        return f"What else there is to read: {count}."
    if page.kind == "build":
        return "How it is built, started and checked."
    return "The parts, their layers, and how a call travels through them."
