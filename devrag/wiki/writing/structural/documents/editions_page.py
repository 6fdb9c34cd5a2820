"""The page on how editions of documents differ, and what a topic tells of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from devrag.wiki.analysis.edition_differences import compare_editions
from devrag.wiki.analysis.edition_series import series_of
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.planning.page_kind import Places
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documents.differences import (
    compare_documents,
    counts_of,
)
from devrag.wiki.writing.structural.documents.left_out import document_name

TITLE = phrase("Differences between the editions")
_MOST_PAIRED = 4  # editions of which each is compared with each


def write_editions(ctx: PageContext) -> list[str]:
    """Return the page's blocks: for each topic the pairs of its editions."""
    blocks = [f"# {ctx.page.title}", ctx.say("Each row of a table is one change.")]
    for index in range(len(ctx.analysis.topics)):
        pairs = list(_pairs(ctx, index))
        if not pairs:
            continue
        blocks.append(f"## {ctx.topic_title(index)}")
        for one, other in pairs:
            blocks += [f"### {_heading(ctx, one, other)}"]
            blocks += compare_documents(ctx, one, other)
    return blocks


def count_pairs(ctx: PageContext) -> Places:
    """Return how many pairs of editions are compared, for the summary."""
    topics = range(len(ctx.analysis.topics))
    number = sum(1 for index in topics for _ in _pairs(ctx, index))
    return {"count": ctx.counted(number, "comparison")}


def editions_section(ctx: PageContext, index: int) -> list[str]:
    """Return how much the editions of a topic differ, and where the changes are."""
    items = []
    for one, other in _pairs(ctx, index):
        compared = compare_editions(*map(ctx.analysis.sections, (one, other)))
        heading = _heading(ctx, one, other)
        items.append(f"- **{heading}**: {counts_of(ctx, compared)}")
    if not items:
        return []
    link = ctx.link_to("editions")
    more = ctx.say("All changes, beside each other: {link}.", link=link)
    return [f"## {ctx.say(TITLE)}", more, "\n".join(items)]


def has_editions(ctx: PageContext, index: int) -> bool:
    """Return whether a topic's documents have editions that are compared."""
    return bool(series_of(ctx.analysis, index))


def _pairs(ctx: PageContext, index: int) -> Iterator[tuple[SurveyFile, SurveyFile]]:
    for files in series_of(ctx.analysis, index):
        yield from pairs_of(files)


def pairs_of(files: Sequence[SurveyFile]) -> list[tuple[SurveyFile, SurveyFile]]:
    """Return which editions are compared: each with each, the older one first.

    Of many each is compared with the one after it and with the newest.
    """
    found = list(combinations(range(len(files)), 2))
    last = len(files) - 1
    if len(files) > _MOST_PAIRED:
        found = [pair for pair in found if pair[1] in (pair[0] + 1, last)]
    return [(files[one], files[other]) for one, other in found]


def _heading(ctx: PageContext, one: SurveyFile, other: SurveyFile) -> str:
    names = [document_name(ctx, file) for file in (one, other)]
    return ctx.say("{one} and {other}", one=names[0], other=names[1])
