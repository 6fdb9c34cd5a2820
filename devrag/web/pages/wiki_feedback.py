"""Problems that readers report in a product's wikis, for its maintainers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from devrag.ask.api import bad_ratings
from devrag.ask.models import Turn
from devrag.core.markdown import render_markdown
from devrag.core.page_urls import wiki_url
from devrag.products.models import Product
from devrag.wiki.api import open_feedback, prefix_of, readable_wikis
from devrag.wiki.models import Feedback, Page

RECENTLY_RESOLVED = 20


@dataclass(frozen=True, slots=True)
class ReportedProblem:
    """A report. quoted: its paragraph, sanitised. title: of its page."""

    id: int
    title: str
    url: str
    language: str
    quoted: str
    remark: str
    author: str
    created_at: datetime
    resolved_at: datetime | None


@dataclass(frozen=True, slots=True)
class RatedAnswer:
    """An answer of Ask that a reader found of no help.

    Who asked may tell more: the conversation itself stays theirs.
    """

    id: int
    question: str
    answered: str
    remark: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class FeedbackPage:
    open: tuple[ReportedProblem, ...]
    resolved: tuple[ReportedProblem, ...]
    ratings: tuple[RatedAnswer, ...] = ()


def get_feedback(product: Product) -> FeedbackPage:
    """Return the open reports, those resolved last, and bad ratings. Queries: 5."""
    wikis = readable_wikis(product)
    prefixes = {wiki.pk: prefix_of(wiki, wikis) for wiki in wikis}
    current = [wiki.current_id for wiki in wikis]
    rows = Page.objects.filter(version__in=current)
    titles = {
        (wiki, path): title
        for wiki, path, title in rows.values_list("version__wiki", "path", "title")
    }

    def see(found: Iterable[Feedback]) -> tuple[ReportedProblem, ...]:
        return tuple(_reported(product, each, titles, prefixes) for each in found)

    resolved = Feedback.objects.filter(wiki__in=wikis).exclude(resolved_at=None)
    resolved = resolved.select_related("author", "wiki").order_by("-resolved_at")
    return FeedbackPage(
        open=see(open_feedback(wikis)),
        resolved=see(resolved[:RECENTLY_RESOLVED]),
        ratings=tuple(_rated(each) for each in bad_ratings(product)),
    )


def feedback_url(product: Product) -> str:
    """Return the address of the list."""
    return reverse("web:wiki_feedback", args=[product.name])


def _rated(turn: Turn) -> RatedAnswer:
    return RatedAnswer(
        id=turn.pk,
        question=turn.question,
        answered=render_markdown(turn.markdown).html,
        remark=turn.remark,
        created_at=turn.created_at,
    )


def _reported(
    product: Product,
    found: Feedback,
    titles: dict[tuple[int, str], str],
    prefixes: dict[int, str],
) -> ReportedProblem:
    title = titles.get((found.wiki_id, found.page_path), "")
    prefix = prefixes[found.wiki_id]
    return ReportedProblem(
        id=found.pk,
        title=title or found.page_path,
        url=wiki_url(product.name, prefix + found.page_path) if title else "",
        language=found.wiki.language,
        quoted=render_markdown(found.paragraph).html,
        remark=found.remark,
        author=found.author.get_username() if found.author else "",
        created_at=found.created_at,
        resolved_at=found.resolved_at,
    )
