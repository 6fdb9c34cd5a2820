"""The cells of tables of settings: name, meaning, default, and where each is read."""

from __future__ import annotations

from devrag.wiki.analysis.prose import cited, join_sentences, opening
from devrag.wiki.analysis.settings import Setting
from devrag.wiki.analysis.settings.types import Lines
from devrag.wiki.evidence.page_evidence import MOST_LINES
from devrag.wiki.writing.structural.context import PageContext

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
    default = f"`{setting.default}`" if setting.default else ""
    if default and setting.default_at is not None:
        default += _cite(ctx, setting.default_at)
    return [f"`{setting.name}`" + _cite(ctx, setting.place), meaning, default]


def _cite(ctx: PageContext, lines: Lines) -> str:
    end = min(lines.end, lines.start + MOST_LINES - 1)
    return ctx.book.cite(lines.file, lines.start, end)


def read_in(ctx: PageContext, setting: Setting) -> str:
    """Return the file that reads a setting, or that sets it."""
    path = ctx.path(ctx.analysis.files[setting.place.file])
    return ctx.say("set in {path}", path=path) if setting.is_set else path
