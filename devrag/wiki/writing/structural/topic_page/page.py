"""Puts the page of a topic together, the explanation before the inventory."""

from __future__ import annotations

from devrag.wiki.analysis.leads import lead_of
from devrag.wiki.analysis.topic_documents import split_by_kind
from devrag.wiki.writing.structural.class_diagram import class_diagram
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.contracts import ties_of_topic
from devrag.wiki.writing.structural.decisions import decisions_section
from devrag.wiki.writing.structural.documents.topic_page import write_document_topic
from devrag.wiki.writing.structural.file_diagram import file_diagram
from devrag.wiki.writing.structural.flows import flow_of_topic
from devrag.wiki.writing.structural.lead import opening_of
from devrag.wiki.writing.structural.state_diagram import states_of_topic
from devrag.wiki.writing.structural.ticket_tables import tickets_of_topic
from devrag.wiki.writing.structural.topic_facts import (
    begins_with_facts,
    is_foreign,
    topic_facts,
)
from devrag.wiki.writing.structural.topic_page.documented import documented
from devrag.wiki.writing.structural.topic_page.documents_section import (
    what_documents_say,
)
from devrag.wiki.writing.structural.topic_page.errors import errors_table
from devrag.wiki.writing.structural.topic_page.files import files_of
from devrag.wiki.writing.structural.topic_page.implemented import implemented
from devrag.wiki.writing.structural.topic_page.kept_values import kept_tables
from devrag.wiki.writing.structural.topic_page.relations import parts_of, related_topics
from devrag.wiki.writing.structural.topic_page.settings_table import settings_table
from devrag.wiki.writing.structural.topic_page.surface import public_surface
from devrag.wiki.writing.structural.topic_page.tests_section import tests_of
from devrag.wiki.writing.structural.topic_page.told import Told
from devrag.wiki.writing.structural.topic_page.walkthrough import walkthroughs
from devrag.wiki.writing.structural.topic_summary import main_definitions


def write_topic(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    if ctx.analysis.is_of_documents:
        return write_document_topic(ctx)
    index = ctx.page.topic or 0
    topic = ctx.analysis.topics[index]
    told = Told()
    told.open_with(sentence.text for sentence in lead_of(ctx.analysis, index))
    opening = opening_of(ctx, index)  # first: its evidence has the first numbers
    own, others = split_by_kind(ctx.analysis, index)
    quoted = documented(ctx, index, told, own)
    said = what_documents_say(ctx, index, told, others)
    told.has_documents = bool(quoted)
    told.is_inside = True
    walked = walkthroughs(ctx, index, told)
    works = [
        *quoted,
        *walked,
        *([] if told.has_documents else kept_tables(ctx, index)),
        *implemented(ctx, index, told),
    ]
    return [
        f"# {ctx.page.title}",
        *_opened(ctx, index, opening),
        *main_definitions(ctx, index),
        *parts_of(ctx),
        *([ctx.say("## How it works"), *works] if works else []),
        *flow_of_topic(ctx, index, is_walked=bool(walked)),
        *(class_diagram(ctx, topic) or file_diagram(ctx, topic)),
        *states_of_topic(ctx, topic),
        *ties_of_topic(ctx, index),
        # Beside what the code does: what other kinds of sources say.
        *said,
        *decisions_section(ctx, index),
        *tickets_of_topic(ctx, index),
        *public_surface(ctx, index, told),
        *settings_table(ctx, index),
        *errors_table(ctx, index, told),
        *files_of(ctx, index, told),
        *tests_of(ctx, index),
        *related_topics(ctx, index),
    ]


def _opened(ctx: PageContext, index: int, opening: str) -> list[str]:
    """Return how a page begins: with facts where sources speak another language."""
    is_quoted = is_foreign(ctx, opening)
    is_bare = begins_with_facts(ctx) and not lead_of(ctx.analysis, index)
    facts = topic_facts(ctx, index) if is_quoted or is_bare else ""
    if not facts:
        return [opening]
    if not is_quoted:
        return [ctx.joined([facts, opening])]
    return [facts, ctx.say("In the words of the sources: {said}", said=opening)]
