"""The page on settings: what each means, its default, and where it is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.prose import cited, clean
from devrag.wiki.analysis.settings import (
    DOCUMENTED,
    ENVIRONMENT,
    FIELD,
    NAMED,
    OPTION,
    SWITCH,
    SettingGroup,
    settings_of,
)
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.planning.page_kind import Places
from devrag.wiki.planning.topic_files import setting_files
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.named_settings import named_table
from devrag.wiki.writing.structural.setting_cells import cells_of, head_of, read_in
from devrag.wiki.writing.structural.tables import table

_ROWS, _ROWS_OF_CLASS = 80, 40
_FILES_SHOWN = 24
_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
_UNREAD = phrase(
    "The documentation names these environment variables; no code here reads them."
)
_NOUNS = {
    ENVIRONMENT: phrase("environment variable"),
    OPTION: phrase("command-line option"),
    NAMED: phrase("named setting"),
    SWITCH: phrase("package variable"),
    FIELD: phrase("field"),
    DOCUMENTED: phrase("documented setting"),
}


def write_configuration(ctx: PageContext) -> list[str]:
    """Return the page's blocks: variables, options, classes, files."""
    groups = settings_of(ctx.analysis)
    by_kind = {kind: [g for g in groups if g.kind == kind] for kind in _NOUNS}
    blocks = [f"# {ctx.page.title}"]
    if counted := _counted(ctx, groups):
        named = phrase("The code and the documentation name {settings}.")
        blocks.append(ctx.say(named, settings=counted))
    for group in by_kind[ENVIRONMENT]:
        blocks += [ctx.say("## Environment variables"), *_read_table(ctx, group)]
    blocks += _titled(ctx, ctx.say("## Command-line options"), by_kind[OPTION])
    for group in by_kind[NAMED]:
        blocks += [
            ctx.say("## Settings by name"),
            *named_table(ctx, group.settings[:_ROWS]),
        ]
    for group in by_kind[SWITCH]:
        blocks += [ctx.say("## Package variables"), *_read_table(ctx, group)]
    blocks += _classes(ctx, by_kind[FIELD])
    told, unread = _by_reading(ctx, by_kind[DOCUMENTED])
    blocks += _titled(ctx, ctx.say("## Settings in the documents"), told)
    return [*blocks, *_unread(ctx, unread), *_files(ctx)]


def _by_reading(
    ctx: PageContext, groups: Sequence[SettingGroup]
) -> tuple[list[SettingGroup], list[SettingGroup]]:
    """Part what documents name: settings, and variables that no code names."""
    unread = _unread_variables(ctx.analysis)
    told, dead = [], []
    for group in groups:
        own = [s for s in group.settings if s.name not in unread]
        rest = [s for s in group.settings if s.name in unread]
        told += [replace(group, settings=tuple(own))] if own else []
        dead += [replace(group, settings=tuple(rest))] if rest else []
    return told, dead


@cached_by_analysis
def _unread_variables(analysis: Analysis) -> frozenset[str]:
    """Return the environment variables of documents whose names stand in no code."""
    left = {
        setting.name
        for group in settings_of(analysis)
        for setting in (group.settings if group.kind == DOCUMENTED else ())
        if setting.name.isupper() and "_" in setting.name
    }
    for file in analysis.with_role("code") if left else ():
        left -= set(_VARIABLE.findall(analysis.texts.text(file.id)))
    return frozenset(left)


def _unread(ctx: PageContext, groups: Sequence[SettingGroup]) -> list[str]:
    """Return the variables of documents that have no place in the code."""
    blocks = _titled(ctx, ctx.say("## Variables that no code reads"), groups)
    return [*blocks[:1], ctx.say(_UNREAD), *blocks[1:]] if blocks else []


def count_settings(ctx: PageContext) -> Places:
    """Return how many settings there are for the summary, else how many files."""
    groups = settings_of(ctx.analysis)
    files = ctx.counted(len(setting_files(ctx.analysis)), "configuration file")
    return {"found": _counted(ctx, groups) or files}


def _counted(ctx: PageContext, groups: Sequence[SettingGroup]) -> str:
    unread = _by_reading(ctx, [g for g in groups if g.kind == DOCUMENTED])[1]
    dead = {s.name for g in unread for s in g.settings}
    numbers = {
        kind: len({s.name for g in groups if g.kind == kind for s in g.settings} - dead)
        for kind in (ENVIRONMENT, OPTION, NAMED, SWITCH, DOCUMENTED)
    }
    numbers[FIELD] = sum(len(g.settings) for g in groups if g.kind == FIELD)
    return ctx.listed(
        [
            ctx.counted(numbers[kind], noun)
            for kind, noun in _NOUNS.items()
            if numbers[kind]
        ]
    )


def _read_table(ctx: PageContext, group: SettingGroup) -> list[str]:
    """Return settings with the file that reads each."""
    rows = [
        [*cells_of(ctx, setting), read_in(ctx, setting)]
        for setting in group.settings[:_ROWS]
    ]
    head = [*head_of(ctx, ctx.say("Variable")), ctx.say("Read in")]
    return [*table(head, rows), *_left(ctx, group, _ROWS)]


def _titled(ctx: PageContext, title: str, groups: Sequence[SettingGroup]) -> list[str]:
    """Return a section with a table for each group; groups of one in a row share it."""
    blocks: list[str] = []
    for group in sorted(groups, key=lambda g: g.title != ""):
        rows = [cells_of(ctx, setting) for setting in group.settings[:_ROWS]]
        head = head_of(ctx, ctx.say("Setting"))
        heading = [f"### {_as_title(ctx, group)}"] if group.title else []
        blocks += [*heading, *table(head, rows), *_left(ctx, group, _ROWS)]
    return [title, *blocks] if blocks else []


def _as_title(ctx: PageContext, group: SettingGroup) -> str:
    title = clean(group.title, ctx.analysis.names)
    return f"`{group.title}`" if group.kind == OPTION else title


def _classes(ctx: PageContext, groups: Iterable[SettingGroup]) -> list[str]:
    blocks: list[str] = []
    for group in groups:
        if group.owner is None:
            continue
        file = ctx.analysis.files[group.owner.file]
        told = ctx.say(
            "{name} in {path}.", name=f"`{group.title}`", path=ctx.path(file)
        )
        intro = cited(told, ctx.cite_symbol(group.owner))
        rows = [cells_of(ctx, s) for s in group.settings[:_ROWS_OF_CLASS]]
        blocks += [
            f"### `{group.title}`",
            f"{intro} {ctx.symbol_purpose(group.owner)}".rstrip(),
            *table(head_of(ctx, ctx.say("Field")), rows),
            *_left(ctx, group, _ROWS_OF_CLASS),
        ]
    return [ctx.say("## Types that hold settings"), *blocks] if blocks else []


def _left(ctx: PageContext, group: SettingGroup, shown: int) -> list[str]:
    left = len(group.settings) - shown
    if left <= 0:
        return []
    return [ctx.say("There are {count} more of this kind.", count=left)]


def _files(ctx: PageContext) -> list[str]:
    """Return the configuration files that explain themselves."""
    items = [
        f"- **{ctx.path(file)}**: {text}"
        for file in _of_product(ctx)
        if (text := ctx.file_purpose(file))
    ]
    title = ctx.say("## Configuration files")
    return [title, "\n".join(items[:_FILES_SHOWN])] if items else []


def _of_product(ctx: PageContext) -> list[SurveyFile]:
    files = ctx.analysis.with_role("config")
    return [file for file in files if not file.path.startswith(".")]
