"""Everything that is told of how one product does, within what the reader may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from devrag.ask.api import DocumentationGap, bad_ratings, documentation_gaps
from devrag.core.principal import Principal
from devrag.insights.costs import MonthCost, cost_of_month
from devrag.insights.days import today
from devrag.insights.models import WikiMeasure
from devrag.insights.questions import AskedDay, asked_by_day
from devrag.insights.source_sizes import (
    LanguageSize,
    ProductSize,
    language_sizes,
    sizes_over_time,
)
from devrag.insights.wiki_measures import wiki_measures
from devrag.jobs.api import EndedJobs, count_ended_jobs
from devrag.products.models import Product
from devrag.products.services import may_maintain
from devrag.wiki.api import conflicts_of, open_feedback, outdated_of, readable_wikis

# Days that a page may show; the first without a choice.
PERIODS = (30, 90, 365)
_GAPS = 10


@dataclass(frozen=True, slots=True)
class OpenItems:
    """What waits for somebody. reports: problems in the wiki and answers of no help.

    reports: None for who does not maintain the product.
    """

    conflicts: int
    outdated: int
    reports: int | None


@dataclass(frozen=True, slots=True)
class ProductInsights:
    """How a product does since a day. wiki: what was measured, the newest last.

    gaps, cost: None for who does not maintain the product.
    """

    since: date
    until: date
    sizes: Sequence[ProductSize]
    languages: Sequence[LanguageSize]
    activity: Sequence[EndedJobs]
    wiki: Sequence[WikiMeasure]
    questions: Sequence[AskedDay]
    open: OpenItems
    gaps: Sequence[DocumentationGap] | None
    cost: MonthCost | None

    @property
    def is_maintained(self) -> bool:
        return self.cost is not None


def get_product_insights(
    principal: Principal, product: Product, days: int = PERIODS[0]
) -> ProductInsights:
    """Return the insights of the last days, today included. Queries: 9 to 19.

    For a product that the principal may read.
    """
    since = today() - timedelta(days=days - 1)
    is_maintained = may_maintain(principal, product)
    gaps = documentation_gaps(principal, product)[:_GAPS] if is_maintained else None
    return ProductInsights(
        since=since,
        until=today(),
        sizes=sizes_over_time(product, principal, since),
        languages=language_sizes(product, principal),
        activity=count_ended_jobs(principal, since, product_id=product.pk),
        wiki=wiki_measures(product, since),
        questions=asked_by_day(product, since),
        open=_count_open(principal, product, is_maintained=is_maintained),
        gaps=gaps,
        cost=cost_of_month(product) if is_maintained else None,
    )


def _count_open(
    principal: Principal, product: Product, *, is_maintained: bool
) -> OpenItems:
    reports = None
    if is_maintained:
        remarks = open_feedback(readable_wikis(product)).count()
        reports = remarks + bad_ratings(product).count()
    return OpenItems(
        conflicts=conflicts_of(product, principal, state="open").count(),
        outdated=outdated_of(product, principal, state="open").count(),
        reports=reports,
    )
