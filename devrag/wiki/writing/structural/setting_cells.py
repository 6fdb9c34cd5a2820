"""The cells of tables of settings: name, meaning, default, and where each is read."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.wiki.analysis.enclosing import function_at
from devrag.wiki.analysis.prose import cited, join_sentences, opening
from devrag.wiki.analysis.settings import Setting
from devrag.wiki.analysis.settings.types import Lines
from devrag.wiki.evidence.page_evidence import MOST_LINES
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_summary import purpose_in_brief

_LONGEST_MEANING = 400


def head_of(ctx: PageContext, first: str) -> list[str]:
    """Return the head of a table of settings."""
    return [first, ctx.say("What it is"), ctx.say("By default")]


def cells_of(ctx: PageContext, setting: Setting) -> list[str]:
    """Return name, meaning and default, each with its lines."""
    said = " ".join(setting.meaning.split())
    meaning = join_sentences(opening(said, ctx.analysis.names, limit=_LONGEST_MEANING))
    meaning = meaning[:1].upper() + meaning[1:]
    if meaning and setting.meaning_at is not None:
        meaning = cited(meaning, _cite(ctx, setting.meaning_at))
    meaning = ctx.joined([each for each in (meaning, *_more(ctx, setting)) if each])
    default = f"`{setting.default}`" if setting.default else ""
    if default and setting.default_at is not None:
        default += _cite(ctx, setting.default_at)
    return [f"`{setting.name}`" + _cite(ctx, setting.place), meaning, default]


def _more(ctx: PageContext, setting: Setting) -> Iterator[str]:
    """Yield what gets the value of a setting, and which values it can have."""
    if setting.passed is not None:
        called, key = setting.passed.called, setting.passed.key
        told = phrase("Passed to {name} as {key}.")
        said = ctx.say(told, name=f"`{called}()`", key=f"`{key}`")
        yield cited(said, _cite(ctx, setting.passed.at))
    if setting.kept_as and setting.kept_at is not None:
        told = phrase("The value derived from it is stored as {key}.")
        said = ctx.say(told, key=f"`{setting.kept_as}`")
        yield cited(said, _cite(ctx, setting.kept_at))
    if setting.values and setting.values_at is not None:
        values = ctx.listed([f"`{value}`" for value in setting.values])
        told = phrase("Special values: {values}.")
        yield cited(ctx.say(told, values=values), _cite(ctx, setting.values_at))
    elif setting.is_switch:
        yield ctx.say("On or off.")


def _cite(ctx: PageContext, lines: Lines) -> str:
    end = min(lines.end, lines.start + MOST_LINES - 1)
    return ctx.book.cite(lines.file, lines.start, end)


def read_in(ctx: PageContext, setting: Setting) -> str:
    """Return the function and file that reads a setting, or the file that sets it."""
    place = setting.place
    path = ctx.path(ctx.analysis.files[place.file])
    if setting.is_set:
        return ctx.say("set in {path}", path=path)
    reader = function_at(ctx.analysis, place.file, place.start)
    if reader is None:
        return path
    name = ctx.symbol_name(reader) + purpose_in_brief(ctx, reader)
    name += ctx.cite_symbol(reader)
    return ctx.say("{name} in {path}", name=name, path=path)
