"""The values by which the functions of an object work together, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from devrag.wiki.analysis.kept_values import KeptValue, Place, kept_values
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.tables import table

_SHOWN = 6


def kept_tables(ctx: PageContext, index: int) -> list[str]:
    """Return a table for each object of a topic that keeps values for its functions."""
    blocks: list[str] = []
    for owner, values in kept_values(ctx.analysis, ctx.analysis.topics[index]):
        rows = [_row(ctx, value) for value in values]
        head = [ctx.say("Value"), ctx.say("Set in"), ctx.say("Used in")]
        title = ctx.say("### State kept by {name}", name=f"`{owner}`")
        told = ctx.say("Its functions share state through these values.")
        blocks += [title, told, *table(head, rows)]
    return blocks


def _row(ctx: PageContext, value: KeptValue) -> list[str]:
    return [
        f"`{value.name}`",
        _listed(ctx, value.set_in),
        _listed(ctx, value.used_in),
    ]


def _listed(ctx: PageContext, places: Sequence[Place]) -> str:
    shown = [
        ctx.own_name(place.symbol)
        + ctx.book.cite(place.symbol.file, place.line, place.line)
        + _named(ctx, place)
        for place in places[:_SHOWN]
    ]
    return ctx.listed(shown, max(0, len(places) - _SHOWN))


def _named(ctx: PageContext, place: Place) -> str:
    """Cite the line that bears the function's name."""
    line = ctx.declaration(place.symbol).named
    return ctx.book.cite(place.symbol.file, line, line)
