"""Writes any planned page from facts alone; markers stand where evidence is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.planning.plan import Plan, PlannedPage, host_page
from devrag.wiki.writing.page_kinds import PAGE_KINDS
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.length import count_words
from devrag.wiki.writing.structural.summaries import page_summary, summarise_topic

_SHORT_WORDS = 150
_FEWEST_PAGES = 12  # of a wiki with fewer, none is joined with another
_HEADING = re.compile(r"^(#+ )", re.MULTILINE)


def join_short_pages(analysis: Analysis, plan: Plan) -> Plan:
    """Return the plan with short pages told on those of their hosts, shortest first."""
    short: dict[str, int] = {}
    for page in plan.pages if len(plan.pages) > _FEWEST_PAGES else ():
        host = _host(page.kind)
        if host and plan.page_of_kind(host) is not None:
            words = count_words([write_page(analysis, plan, page)[0]])
            short |= {page.kind: words} if words < _SHORT_WORDS else {}
    for kind in sorted(short, key=lambda each: (short[each], each)):
        if len(plan.pages) > _FEWEST_PAGES:
            plan = host_page(plan, kind, _host(kind))
    return plan


def _host(kind: str) -> str:
    return next(each.host for each in PAGE_KINDS if each.name == kind)


def write_page(
    analysis: Analysis, plan: Plan, page: PlannedPage
) -> tuple[str, EvidenceBook]:
    """Return the page's Markdown with evidence markers, and the evidence."""
    book = EvidenceBook(analysis.files, analysis.texts)
    ctx = PageContext(analysis, plan, page, book, PAGE_KINDS)
    blocks = [*ctx.kind(page.kind).write(ctx), *_hosted(ctx)]
    told = (ctx.wording.finish(block) for block in blocks if block)
    return "\n\n".join(told) + "\n", book


def _hosted(ctx: PageContext) -> Sequence[str]:
    """Return what is told for other kinds of pages, their headings one level deeper."""
    blocks: list[str] = []
    for name in ctx.page.hosted:
        kind = ctx.kind(name)
        page = replace(ctx.page, kind=name, title=ctx.say(kind.title))
        blocks += kind.write(replace(ctx, page=page))
    return [_HEADING.sub(r"#\1", b) if b.startswith("#") else b for b in blocks]


def summarise_page(analysis: Analysis, plan: Plan, page: PlannedPage) -> str:
    """Return one sentence on the page, with markers."""
    book = EvidenceBook(analysis.files, analysis.texts)
    ctx = PageContext(analysis, plan, page, book, PAGE_KINDS)
    if page.topic is not None:
        return summarise_topic(ctx, page.topic)
    return page_summary(ctx, page)
