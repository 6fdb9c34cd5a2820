"""The page of a topic of documents: what it is, its documents, what they say."""

from __future__ import annotations

from collections import Counter

from devrag.wiki.analysis.document_facts import (
    INDEX_STEMS,
    info_of,
    links_of_documents,
    title_of,
)
from devrag.wiki.analysis.editions import editions_of
from devrag.wiki.analysis.prose import cited, clean, join_sentences, sentences
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.evidence.blocks import plain
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.decisions import decisions_section
from devrag.wiki.writing.structural.documents.editions_page import editions_section
from devrag.wiki.writing.structural.documents.excerpts import quote_documents
from devrag.wiki.writing.structural.documents.items import (
    described,
    document_item,
    named,
    opening_sentence,
)
from devrag.wiki.writing.structural.documents.main_rules import main_rules
from devrag.wiki.writing.structural.documents.open_questions import questions_section
from devrag.wiki.writing.structural.documents.opening import (
    opening_of_documents,
    ranked_documents,
)
from devrag.wiki.writing.structural.topic_page.relations import parts_of, ranked

_SHOWN = 40
_QUOTED_DOCUMENTS = 14  # more cannot be told in the words of a few
_RELATED = 8
_NEWEST, _FEWEST_DATED = 5, 4


def write_document_topic(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    index = ctx.page.topic or 0
    topic = ctx.analysis.topics[index]
    opening = opening_of_documents(ctx, index)
    files = ranked_documents(ctx, topic)
    editions = editions_of(ctx.analysis, index)
    quoted = [file for file in files if file.id not in editions]
    is_quoted = len(files) <= _QUOTED_DOCUMENTS
    lead = sentences(plain(opening))
    said = quote_documents(ctx, quoted, lead) if is_quoted else []
    return [
        f"# {ctx.page.title}",
        opening,
        *parts_of(ctx),
        *_documents(ctx, files, opening),
        *(main_rules(ctx, quoted) if is_quoted else []),
        *editions_section(ctx, index),
        *said,
        *decisions_section(ctx, index),
        *questions_section(ctx, index),
        *_newest(ctx, files),
        *_related(ctx, index),
    ]


def _documents(ctx: PageContext, files: list[SurveyFile], opening: str) -> list[str]:
    """Return the list of documents, without the overview that the page begins with."""
    files = [f for f in files if len(files) < 2 or not _opens(ctx, f, opening)]
    if not files:
        return []
    items = [_item(ctx, file) for file in files[:_SHOWN]]
    rest = [named(ctx, file) for file in files[_SHOWN:]]
    more = [ctx.say("Further documents: {names}.", names=ctx.listed(rest))]
    return [ctx.say("## Documents"), "\n".join(items), *(more if rest else [])]


def _item(ctx: PageContext, file: SurveyFile) -> str:
    """Return a document with what it is; of an edition what it is one of."""
    main = editions_of(ctx.analysis, ctx.page.topic or 0).get(file.id)
    if main is None:
        return f"- {document_item(ctx, file)}"
    other = ctx.analysis.files[main]
    title, line = title_of(ctx.analysis, other)
    name = clean(title, ctx.analysis.names)
    said = ctx.say("Most of its text is also in {document}.", document=name)
    marker = ctx.book.cite(other.id, line, line) if line else ""
    told = filter(None, (described(ctx, file), cited(said, marker)))
    return f"- {named(ctx, file)}: {join_sentences(told)}"


def _opens(ctx: PageContext, file: SurveyFile, opening: str) -> bool:
    """Return whether a document is an overview with which the page begins."""
    said = plain(opening_sentence(ctx, file)).rstrip(".。")
    is_overview = file.stem.lower() in INDEX_STEMS
    return bool(said) and is_overview and said in plain(opening)


def _newest(ctx: PageContext, files: list[SurveyFile]) -> list[str]:
    """Return what changed last, where there is more than fits at a glance."""
    dated = [(day, f) for f in files if (day := info_of(ctx.analysis, f).date)]
    if len(dated) < _FEWEST_DATED:
        return []
    dated.sort(key=lambda x: (x[0], x[1].path), reverse=True)
    items = []
    for day, file in dated[:_NEWEST]:
        line = info_of(ctx.analysis, file).date_line
        marker = ctx.book.cite(file.id, line, line) if line else ""
        items.append(f"- {day.isoformat()}{marker}: {named(ctx, file)}")
    return [ctx.say("## Newest documents"), "\n".join(items)]


def _related(ctx: PageContext, index: int) -> list[str]:
    """Return the topics that the documents link to or are linked from, most first."""
    topic_of = ctx.analysis.topic_of
    counts = Counter[int]()
    for file, targets in links_of_documents(ctx.analysis).items():
        for target, count in targets.items():
            pair = {topic_of.get(file), topic_of.get(target)}
            if index in pair:
                counts.update({t: count for t in pair - {index, None} if t is not None})
    linked = [ctx.topic(other) for other in ranked(counts)[:_RELATED]]
    if not linked:
        return []
    told = ctx.say(
        "Their documents link to each other: {names}.", names=ctx.listed(linked)
    )
    return [ctx.say("## Related topics"), told]
