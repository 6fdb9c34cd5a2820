"""Writes any planned page from facts alone; markers stand where evidence is."""

from __future__ import annotations

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.writing.page_kinds import PAGE_KINDS
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.summaries import page_summary, summarise_topic


def write_page(
    analysis: Analysis, plan: Plan, page: PlannedPage
) -> tuple[str, EvidenceBook]:
    """Return the page's Markdown with evidence markers, and the evidence."""
    book = EvidenceBook(analysis.files, analysis.texts)
    ctx = PageContext(analysis, plan, page, book, PAGE_KINDS)
    blocks = ctx.kind(page.kind).write(ctx)
    return "\n\n".join(block for block in blocks if block) + "\n", book


def summarise_page(analysis: Analysis, plan: Plan, page: PlannedPage) -> str:
    """Return one sentence on the page, with markers."""
    book = EvidenceBook(analysis.files, analysis.texts)
    ctx = PageContext(analysis, plan, page, book, PAGE_KINDS)
    if page.topic is not None:
        return summarise_topic(ctx, page.topic)
    return page_summary(ctx, page)
