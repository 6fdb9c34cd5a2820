"""What a topic of documents is: its own overview, else the document of its name."""

from __future__ import annotations

from devrag.wiki.analysis.document_facts import (
    INDEX_STEMS,
    documents_below,
    times_linked,
    title_of,
)
from devrag.wiki.analysis.leads import lead_of
from devrag.wiki.analysis.prose import join_sentences
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.assignment import words_of
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documents.items import opening_sentence
from devrag.wiki.writing.structural.lead import cite_lead
from devrag.wiki.writing.structural.mentions import first_paragraphs

_PARAGRAPHS = 2
_FEW = 3  # documents of which the most central sentences stand for the topic


def opening_of_documents(ctx: PageContext, index: int) -> str:
    """Return what a topic's documents say it is, cited; '' where none does."""
    topic = ctx.analysis.topics[index]
    for file in ranked_documents(ctx, topic)[:1]:
        is_overview = _is_overview(ctx, topic, file)
        found = first_paragraphs(ctx, file, _PARAGRAPHS) if is_overview else []
        if found:
            return found[0]
    namesake = _namesake(ctx, topic)
    if namesake is not None and (said := opening_sentence(ctx, namesake)):
        return said
    if 0 < len(topic.files) <= _FEW:
        told = (cite_lead(ctx, each) for each in lead_of(ctx.analysis, index))
        return join_sentences(told)
    return ""


def ranked_documents(ctx: PageContext, topic: Topic) -> list[SurveyFile]:
    """Return a topic's documents: its overview, what others link to, the rest."""
    linked = times_linked(ctx.analysis)
    order = {file.id: n for n, file in enumerate(topic.files)}
    namesake = _namesake(ctx, topic)
    return sorted(
        topic.files,
        key=lambda f: (
            not _is_overview(ctx, topic, f),
            f != namesake,
            -linked[f.id],
            order[f.id],
        ),
    )


def _is_overview(ctx: PageContext, topic: Topic, file: SurveyFile) -> bool:
    """Return whether a document introduces the folder that the topic is of."""
    if file.stem.lower() not in INDEX_STEMS or file.document_kind == "ticket":
        return False
    above = f"{file.directory}/" if file.directory else ""
    own = sum(f.source == file.source and f.path.startswith(above) for f in topic.files)
    return 2 * own > documents_below(ctx.analysis)[file.source, file.directory]


def _namesake(ctx: PageContext, topic: Topic) -> SurveyFile | None:
    """Return the document whose title is the topic's, its article apart."""
    wanted = words_of(topic.title).keys()
    most = len(topic.title.split()) + 1
    for file in topic.files:
        title, _ = title_of(ctx.analysis, file)
        if len(title.split()) <= most and words_of(title).keys() == wanted:
            return file
    return None
