"""The settings that a topic reads: meaning, default, and where they are read."""

from __future__ import annotations

from devrag.wiki.analysis.survey import SurveyFact
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.inventory import setting_default, setting_meaning
from devrag.wiki.writing.structural.tables import table

_ROWS = 25


def settings_table(ctx: PageContext, index: int) -> list[str]:
    """Return the section on the settings that the topic's files read."""
    own = {file.id for file in ctx.analysis.topics[index].files}
    facts: dict[str, SurveyFact] = {}
    for fact in ctx.analysis.facts("setting"):
        if fact.file in own and not fact.data.get("set_in"):
            facts.setdefault(fact.name, fact)
    rows = [_row(ctx, fact) for fact in list(facts.values())[:_ROWS]]
    head = [ctx.say("Setting"), ctx.say("By default"), ctx.say("What it is")]
    head.append(ctx.say("Read in"))
    title = ctx.say("## Settings")
    more = ctx.say("More: {link}.", link=ctx.link_to("configuration"))
    return [title, *table(head, rows), more] if rows else []


def _row(ctx: PageContext, fact: SurveyFact) -> list[str]:
    marker = ctx.book.cite(fact.file, fact.start_line, fact.end_line)
    default = setting_default(fact)
    return [
        ctx.code(fact.name) + marker,
        f"`{default}`" if default else "",
        setting_meaning(ctx, fact),
        ctx.path(ctx.analysis.files[fact.file]),
    ]
