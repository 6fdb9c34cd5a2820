"""The front page of documents alone: what they are about, topics, where to start."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from devrag.wiki.analysis.document_facts import INDEX_STEMS, info_of, times_linked
from devrag.wiki.analysis.passages import is_dangling
from devrag.wiki.analysis.prose import clean, full_stop
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.planning.page_kind import INDEX
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documents.editions_page import has_editions
from devrag.wiki.writing.structural.documents.items import document_item, titled
from devrag.wiki.writing.structural.documents.opening import (
    opening_of_documents,
    ranked_documents,
)
from devrag.wiki.writing.structural.mentions import (
    first_of,
    first_paragraphs,
    further_paragraphs,
)
from devrag.wiki.writing.structural.summaries import page_summary

_PARAGRAPHS = 3
_MOST_LINKED, _LEAST_LINKED = 8, 2
_NEWEST, _FEWEST_DATED = 6, 3
_NAMED = 3
_LISTED = 24  # documents that a reader counts in the topics
_FEW = 6  # documents of a topic that are named below it
_CALL = re.compile(
    r"\b(follow (us|me|\W*@)|on twitter|watch this repo|star (this|the) repo"
    r"|if you like|subscribe|sponsor\w*|donat\w+|click here"
    r"|pull requests? (are )?welcome)\b",
    re.IGNORECASE,
)


def write_front(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    return [
        f"# {ctx.page.title}",
        *_overview(ctx),
        _counts(ctx),
        *_topics(ctx),
        *_most_linked(ctx),
        *_newest(ctx),
        *_pages(ctx),
    ]


def _overview(ctx: PageContext) -> list[str]:
    """Introduce each source in the words of its own overview."""
    by_source: dict[str, list[str]] = defaultdict(list)
    for file in ctx.analysis.overview_documents:
        known = by_source[file.source]
        said = first_paragraphs(ctx, file, _PARAGRAPHS) if len(known) < 2 else []
        if len(said) == 1:
            said += further_paragraphs(ctx, file, _PARAGRAPHS)
        known += [text for text in said if _tells(text) and text not in known]
    told = {source: said for source, said in by_source.items() if said}
    blocks: list[str] = []
    for source, said in told.items():
        title = [f"### {clean(source, ctx.analysis.names)}"] if len(told) > 1 else []
        blocks += [*title, *said[:_PARAGRAPHS]]
    return blocks


def _tells(text: str) -> bool:
    """Return whether a paragraph is about the documents, not about who follows them."""
    return not is_dangling(text) and not _CALL.search(text)


def _counts(ctx: PageContext) -> str:
    """Return how many documents there are, where they are many, or of other kinds.

    Else the topics below name what there is.
    """
    documents = ctx.analysis.with_role("doc")
    kinds = Counter(file.document_kind for file in documents)
    told = [
        ctx.counted(kinds[kind], noun)
        for kind, noun in (
            ("", phrase("document")),
            ("page", phrase("page")),
            ("ticket", phrase("ticket")),
            ("attachment", phrase("attachment")),
        )
        if kinds[kind]
    ]
    said = ctx.say("The collection holds {documents}.", documents=ctx.listed(told))
    days = sorted(day for f in documents if (day := info_of(ctx.analysis, f).date))
    if len(days) < _FEWEST_DATED:
        is_of_interest = kinds.keys() - {""} or len(documents) > _LISTED
        return said if is_of_interest else ""
    dated = ctx.say(
        "Dates are known of {documents}, from {first} to {last}.",
        documents=ctx.counted(len(days), "document"),
        first=days[0].isoformat(),
        last=days[-1].isoformat(),
    )
    return ctx.joined([said, dated])


def _topics(ctx: PageContext) -> list[str]:
    below: dict[str, list[int]] = defaultdict(list)
    for index in range(len(ctx.analysis.topics)):
        if page := ctx.plan.page_of_topic(index):
            below[page.parent].append(index)
    items: list[str] = []
    for index in below[INDEX]:
        items.append(topic_of_documents(ctx, index))
        page = ctx.plan.page_of_topic(index)
        inside = below[page.path] if page else []
        if not inside:
            items[-1] += _few_documents(ctx, index) + _editions(ctx, index)
        items += [f"  {topic_of_documents(ctx, part)}" for part in inside]
    return [ctx.say("## Topics"), "\n".join(items)] if items else []


def _few_documents(ctx: PageContext, index: int) -> str:
    """Return the documents of a topic that has few, as an item below it."""
    ranked = ranked_documents(ctx, ctx.analysis.topics[index])
    files = [file for file in ranked if file.stem.lower() not in INDEX_STEMS]
    if not opening_of_documents(ctx, index) or not 1 < len(files) <= _FEW:
        return ""
    names = ctx.listed([titled(ctx, file) for file in files])
    return f"\n  - {ctx.say('Documents: {names}.', names=names)}"


def _editions(ctx: PageContext, index: int) -> str:
    """Return where the editions of a topic's documents are compared, as an item."""
    if not has_editions(ctx, index):
        return ""
    link = ctx.link_to("editions")
    return f"\n  - {ctx.say('How the editions differ: {link}.', link=link)}"


def topic_of_documents(ctx: PageContext, index: int) -> str:
    """Return an item of a list: the topic, and what it is or which documents it has."""
    name = f"**{ctx.topic(index)}**"
    if said := opening_of_documents(ctx, index):
        return f"- {name}: {first_of(said)}"
    files = ranked_documents(ctx, ctx.analysis.topics[index])
    if not files:
        return f"- {name}"
    shown = [titled(ctx, file) for file in files[:_NAMED]]
    listed = ctx.listed(shown, len(files) - len(shown))
    return f"- {name}: {full_stop(listed)}"


def _most_linked(ctx: PageContext) -> list[str]:
    linked = times_linked(ctx.analysis)
    front = {file.id for file in ctx.analysis.overview_documents}
    found = [f for f in ctx.analysis.topic_documents if linked[f.id] >= _LEAST_LINKED]
    found = [f for f in found if f.id not in front]
    found.sort(key=lambda f: (-linked[f.id], f.source, f.path))
    intro = ctx.say("The other documents link to these most.")
    return _listed(ctx, ctx.say("## Most linked"), intro, found[:_MOST_LINKED])


def _newest(ctx: PageContext) -> list[str]:
    dated = [
        (day, file)
        for file in ctx.analysis.topic_documents
        if (day := info_of(ctx.analysis, file).date)
    ]
    if len(dated) < _FEWEST_DATED:
        return []
    dated.sort(key=lambda x: (x[0], x[1].path), reverse=True)
    items = [
        f"- {day.isoformat()}: {document_item(ctx, file)}"
        for day, file in dated[:_NEWEST]
    ]
    return [ctx.say("## Newest documents"), "\n".join(items)]


def _listed(
    ctx: PageContext, title: str, intro: str, files: Iterable[SurveyFile]
) -> list[str]:
    items = [f"- {document_item(ctx, file)}" for file in files]
    return [title, intro, "\n".join(items)] if len(items) > 2 else []


def _pages(ctx: PageContext) -> list[str]:
    items = [
        f"- {ctx.link(page.title, page.path)}: {page_summary(ctx, page)}"
        for page in ctx.plan.pages
        if page.topic is None and page.path != INDEX
    ]
    return [ctx.say("## More pages"), "\n".join(items)] if items else []
