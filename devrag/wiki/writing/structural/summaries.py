"""One sentence per page: for the contents and for whoever links to it."""

from __future__ import annotations

from devrag.parsing.tokens import count_cjk
from devrag.wiki.analysis.leads import lead_of
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.documents import is_formal
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.evidence.blocks import plain
from devrag.wiki.planning.page_kind import INDEX
from devrag.wiki.planning.plan import PlannedPage
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documents.opening import opening_of_documents
from devrag.wiki.writing.structural.lead import opening_of
from devrag.wiki.writing.structural.mentions import first_of
from devrag.wiki.writing.structural.topic_facts import (
    begins_with_facts,
    brief_facts,
    is_foreign,
)
from devrag.wiki.writing.structural.topic_headings import heading_of

_HEADINGS = 4


def front_file(ctx: PageContext, topic: Topic) -> SurveyFile | None:
    """Return the file that speaks for the part: its `__init__`, or its namesake.

    In Go any file of a package may bear the words on all of it.
    """
    for file in topic.files:
        if len(topic.files) == 1 or file.path == topic.directory:
            return file
    fronts = ("__init__.py", "mod.rs", "lib.rs", "index.ts", "index.js", "doc.go")
    for file in topic.files:
        if file.directory == topic.directory and file.name in fronts:
            return file
    own = (
        f for f in topic.files if f.language == "go" and f.directory == topic.directory
    )
    return next((file for file in own if _is_on_package(ctx, file)), None)


def _is_on_package(ctx: PageContext, file: SurveyFile) -> bool:
    said = ctx.analysis.purpose(file)
    return said is not None and said.text.startswith("Package ")


def summarise_topic(ctx: PageContext, topic: int) -> str:
    """Return the first sentence of what a part is for, cited; '' when unknown.

    What a definition says of itself in another language gives way to facts.
    """
    is_of_documents = ctx.analysis.is_of_documents
    opening = (opening_of_documents if is_of_documents else opening_of)(ctx, topic)
    if not opening:
        return _headings(ctx, topic)
    if facts := "" if is_of_documents else _facts(ctx, topic, opening):
        return facts
    first = first_of(opening)
    name = ctx.analysis.topics[topic].title
    if plain(first).rstrip(".。 ").lower() == name.lower():
        return ""
    head, colon, rest = first.partition(": ")
    is_own_name = colon and head.lower() in {name.lower(), f"the {name.lower()}"}
    return rest[0].upper() + rest[1:] if is_own_name and rest else first


def _facts(ctx: PageContext, topic: int, opening: str) -> str:
    """Return facts for an opening in another language, or that only lists names.

    The words of a document stand behind them, those of a definition in another
    language do not.
    """
    lead = lead_of(ctx.analysis, topic)
    if not begins_with_facts(ctx) or (lead and not is_foreign(ctx, opening)):
        return ""
    facts = brief_facts(ctx, topic)
    is_of_document = bool(lead) and lead[0].symbol is None
    is_told = is_of_document or (not lead and "（" in opening)  # names with their words
    return ctx.joined([facts, first_of(opening)]) if facts and is_told else facts


def _headings(ctx: PageContext, topic: int) -> str:
    """Return what documents on a topic are about by their headings, '' without any."""
    found = ctx.analysis.topics[topic]
    own = [s for s in found.sections if s.title.lower() != found.title.lower()]
    inside = [
        (section.file, each)
        for section in found.sections
        for each in ctx.analysis.sections(ctx.analysis.files[section.file])[
            section.first + 1 : section.last + 1
        ]
        if each.title and not is_formal(each.title)
    ]
    headings = [(s.file, s.title, s.start_line) for s in own]
    headings += [(file, each.title, each.line) for file, each in inside]
    distinct = {title: (file, line) for file, title, line in reversed(headings)}
    shown = [
        heading_of(ctx, title) + ctx.book.cite(*distinct[title], distinct[title][1])
        for title in list(dict.fromkeys(title for _, title, _ in headings))[:_HEADINGS]
    ]
    if not shown:
        return ""
    told = phrase("It covers {titles}.")
    return ctx.say(told, titles=ctx.listed(shown))


def topic_item(ctx: PageContext, topic: int) -> str:
    """Return an item of a list: the part, and what it is for where that is known."""
    said = summarise_topic(ctx, topic)
    stop = "。" if count_cjk(ctx.topic_title(topic)) else "."
    return f"- **{ctx.topic(topic)}**" + (f": {said}" if said else stop)


def page_summary(ctx: PageContext, page: PlannedPage) -> str:
    """Return one sentence on what a page that is no feature holds."""
    kind = ctx.kind(page.kind)
    if page.path == INDEX and ctx.analysis.is_of_documents:
        return ctx.say("What the documents are about, their topics, where to start.")
    return ctx.say(kind.summary, **kind.summary_places(ctx))
