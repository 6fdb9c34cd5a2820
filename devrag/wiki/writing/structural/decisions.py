"""The page on decisions, and what a topic's page tells of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from devrag.wiki.analysis.decisions import (
    Decision,
    decisions_of,
    decisions_of_topic,
)
from devrag.wiki.analysis.document_facts import title_of
from devrag.wiki.analysis.prose import cited, clean, full_stop
from devrag.wiki.evidence.blocks import anchor
from devrag.wiki.planning.page_kind import Places
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.other_kinds import DECISIONS_TITLE

_MOST, _MOST_OF_TOPIC = 200, 8


def write_decisions(ctx: PageContext) -> list[str]:
    """Return the page's blocks: a timeline, the newest decision first."""
    found = decisions_of(ctx.analysis)
    shown = found[:_MOST]
    in_order, undated = (
        phrase("The sources record {decisions}, the newest first."),
        phrase("The sources record {decisions}; none has a date."),
    )
    is_dated = any(decision.date for decision in found)
    said = ctx.say(
        in_order if is_dated else undated,
        decisions=ctx.counted(len(found), "decision"),
    )
    gone = sum(decision.is_superseded for decision in found)
    one, many = (
        phrase("One of them has been superseded or withdrawn."),
        phrase("{count} of them have been superseded or withdrawn."),
    )
    more = ctx.say(one if gone == 1 else many, count=gone) if gone else ""
    unique = _unique_titles(shown)
    blocks = [f"# {ctx.page.title}", ctx.joined([said, *filter(None, [more])])]
    for year, decisions in groupby(shown, key=_year):
        blocks.append(f"## {year}" if year else ctx.say("## Without a date"))
        for _, own in groupby(decisions, key=lambda d: d.file):
            blocks += _document(ctx, list(own), unique)
    return blocks


def count_decisions(ctx: PageContext) -> Places:
    """Return the number of decisions for the summary."""
    return {"count": ctx.counted(len(decisions_of(ctx.analysis)), "decision")}


def decisions_section(ctx: PageContext, index: int) -> list[str]:
    """Return the decisions of a topic, the newest first, and where the others are."""
    found = decisions_of_topic(ctx.analysis, index)
    if not found:
        return []
    items = [_item(ctx, decision) for decision in found[:_MOST_OF_TOPIC]]
    link = ctx.link_to("decisions")
    more = [ctx.say("All decisions: {link}.", link=link)] if link[:1] == "[" else []
    return [f"## {ctx.say(DECISIONS_TITLE)}", "\n".join(items), *more]


def _year(decision: Decision) -> int:
    return decision.date.year if decision.date else 0


def _unique_titles(found: Iterable[Decision]) -> dict[int, str]:
    """Return document → its title, of those whose heading is the only one so called."""
    titles = {decision.file: decision.title for decision in found}
    times = Counter(map(anchor, titles.values()))
    return {
        file: title
        for file, title in titles.items()
        if times[anchor(title)] == 1 and anchor(title) != "section"
    }


def _document(
    ctx: PageContext, own: Sequence[Decision], unique: dict[int, str]
) -> list[str]:
    """Return the decisions of one document below its title."""
    first = own[0]
    title = clean(first.title, ctx.analysis.names)
    state = _state(ctx, first, unique)
    if len(own) == 1:
        said = _said(ctx, first)
        return [f"### {title}", f"{state}: {said}" if said else full_stop(state)]
    items = [f"- {_said(ctx, decision)}" for decision in own]
    return [f"### {title}", state, "\n".join(items)]


def _state(ctx: PageContext, decision: Decision, unique: dict[int, str]) -> str:
    """Return date and status with the lines that have them, or what superseded it."""
    day = f"**{decision.date.isoformat()}**" if decision.date else ""
    status = _superseded(ctx, decision, unique)
    status = status or clean(decision.status, ctx.analysis.names)
    told = ", ".join(filter(None, (day, status)))
    if told:
        return told + _marks(ctx, decision)
    path = ctx.path(ctx.analysis.files[decision.file])
    title = ctx.book.cite(decision.file, decision.title_line, decision.title_line)
    return ctx.say("in {path}", path=path) + title


def _marks(ctx: PageContext, decision: Decision) -> str:
    """Return the evidence of a decision's date and status."""
    lines = dict.fromkeys((decision.date_line, decision.status_line))
    return "".join(ctx.book.cite(decision.file, n, n) for n in lines if n)


def _superseded(ctx: PageContext, decision: Decision, unique: dict[int, str]) -> str:
    """Return which decision took the place of one, linked; '' where none did."""
    file = ctx.analysis.files.get(decision.superseded_by or 0)
    if file is None:
        return ""
    name = unique.get(file.id)
    title = clean(name or title_of(ctx.analysis, file)[0], ctx.analysis.names)
    if name:
        title = f"[{title}](#{anchor(name)})"
    return ctx.say("superseded by {decision}", decision=title)


def _said(ctx: PageContext, decision: Decision) -> str:
    """Return what was decided, cited."""
    if not decision.sentence:
        return ""
    marker = ctx.book.cite(decision.file, decision.start_line, decision.end_line)
    return cited(decision.sentence, marker)


def _item(ctx: PageContext, decision: Decision) -> str:
    """Return one decision in a line: day, title, status, what was decided."""
    title = f"**{clean(decision.title, ctx.analysis.names)}**"
    day = f"{decision.date.isoformat()}: " if decision.date else ""
    status = _superseded(ctx, decision, {})
    status = status or clean(decision.status, ctx.analysis.names)
    head = f"- {day}{title} ({status})" if status else f"- {day}{title}"
    said = _said(ctx, decision)
    marker = _marks(ctx, decision)
    return f"{cited(f'{head}:', marker)} {said}" if said else f"{cited(head, marker)}."
