"""The settings that a topic reads: meaning, default, and where they are read."""

from __future__ import annotations

from devrag.wiki.analysis.settings import (
    ENVIRONMENT,
    NAMED,
    OPTION,
    Setting,
    settings_of,
)
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.named_settings import named_table
from devrag.wiki.writing.structural.setting_cells import cells_of, head_of, read_in
from devrag.wiki.writing.structural.tables import table

_ROWS = 24


def settings_table(ctx: PageContext, index: int) -> list[str]:
    """Return the section on the variables and options that the topic's files read.

    Classes that hold settings are told of where the page explains its definitions.
    """
    own = {file.id for file in ctx.analysis.topics[index].files}
    settings: dict[str, Setting] = {}
    for group in settings_of(ctx.analysis):
        for setting in group.settings if group.kind in {ENVIRONMENT, OPTION} else ():
            if setting.place.file in own and not setting.is_set:
                settings.setdefault(setting.name, setting)
    rows = [
        [*cells_of(ctx, setting), read_in(ctx, setting)]
        for setting in list(settings.values())[:_ROWS]
    ]
    head = [*head_of(ctx, ctx.say("Setting")), ctx.say("Read in")]
    named = [
        setting
        for group in settings_of(ctx.analysis)
        for setting in (group.settings if group.kind == NAMED else ())
        if setting.place.file in own
    ]
    tables = [*table(head, rows), *named_table(ctx, named[:_ROWS])]
    more = ctx.say("More: {link}.", link=ctx.link_to("configuration"))
    return [ctx.say("## Settings"), *tables, more] if tables else []
