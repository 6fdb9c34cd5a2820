"""The table of settings that code keeps by name: default, and who asks for each."""

from __future__ import annotations

import re
from collections.abc import Iterable

from devrag.wiki.analysis.conditions import IF, around, condition_of
from devrag.wiki.analysis.enclosing import function_at
from devrag.wiki.analysis.settings import Setting, setting_functions
from devrag.wiki.analysis.settings.types import Lines
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.setting_cells import cells_of, head_of
from devrag.wiki.writing.structural.tables import table

_READERS, _FUNCTIONS = 8, 6
_DEFINED = re.compile(
    r"^(?:Object\.)?define\w+\(\s*(?P<owner>[\w$.]+)\s*,\s*['\"](?P<name>[\w$]+)['\"]"
)


def named_table(ctx: PageContext, settings: Iterable[Setting]) -> list[str]:
    """Return settings with their defaults and the functions that read them."""
    functions = [
        ctx.symbol_name(symbol) + ctx.cite_symbol(symbol)
        for symbol in setting_functions(ctx.analysis)[:_FUNCTIONS]
    ]
    told = ctx.say("They are set and read by {names}.", names=ctx.listed(functions))
    rows = [[*_cells(ctx, setting), _readers(ctx, setting)] for setting in settings]
    found = table([*head_of(ctx, ctx.say("Setting")), ctx.say("Read by")], rows)
    return [told, *found] if found else []


def _cells(ctx: PageContext, setting: Setting) -> list[str]:
    """Return the cells of a setting, its default under the condition that it has."""
    name, meaning, default = cells_of(ctx, setting)
    inside = function_at(ctx.analysis, setting.place.file, setting.place.start)
    if not default and not setting.is_set:
        return [name, meaning, ctx.say("not set")]
    if not default or inside is None:
        return [name, meaning, default]
    lines = ctx.book.lines(setting.place.file)
    condition = condition_of(lines, setting.place.start, inside.start_line)
    if condition is None or not condition.text or condition.kind != IF:
        return [name, meaning, default if condition is None else ""]
    marker = ctx.book.cite(setting.place.file, condition.line, condition.end_line)
    told = ctx.say("{value} if `{condition}`", value=default, condition=condition.text)
    return [name, meaning, told + marker]


def _getter(ctx: PageContext, place: Lines) -> tuple[str, int] | None:
    """Return the property whose getter reads in a place, and its line."""
    lines = ctx.book.lines(place.file)
    for number in around(lines, place.start, 0):
        if (match := _DEFINED.match(lines[number - 1].strip())) is not None:
            return f"`{match['owner']}.{match['name']}`", number
    return None


def _readers(ctx: PageContext, setting: Setting) -> str:
    """Return the functions that read a setting, each with the line."""
    found: dict[str, str] = {}
    for place in setting.read_at:
        symbol = function_at(ctx.analysis, place.file, place.start)
        shown = ctx.symbol_name(symbol) if symbol else ""
        getter = None if symbol else _getter(ctx, place)
        if getter is not None:
            shown = getter[0] + ctx.book.cite(place.file, getter[1], getter[1])
        shown = shown or ctx.path(ctx.analysis.files[place.file])
        marker = ctx.book.cite(place.file, place.start, place.end)
        if symbol is not None:
            named = ctx.declaration(symbol).named
            marker += ctx.book.cite(symbol.file, named, named)
        found.setdefault(shown, shown + marker)
    shown_readers = list(found.values())[:_READERS]
    if not found:
        return ctx.say("no code here, by its name")
    return ctx.listed(shown_readers, max(0, len(found) - _READERS))
