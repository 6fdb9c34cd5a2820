"""Cites what connectors write above the text of a page or ticket."""

from __future__ import annotations

from devrag.wiki.writing.structural.context import PageContext

DAY = 10  # characters of an ISO date
_FENCE = "---"


def cite_head(ctx: PageContext, file_id: int, first: str, last: str) -> str:
    """Return the marker of the lines from one key to another, both included.

    What changes with every comment stands below `created`.
    """
    lines = ctx.book.lines(file_id)
    end = next((n for n, each in enumerate(lines[1:], 2) if each == _FENCE), 1)
    keys = {each.partition(":")[0]: n for n, each in enumerate(lines[:end], 1)}
    start = keys.get(first, 1)
    return ctx.book.cite(file_id, start, keys.get(last, max(start, end - 1)))
