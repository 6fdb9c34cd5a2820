"""What readers ask in vain and what they find wrong, for who maintains a product."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max, QuerySet
from django.utils import timezone

from devrag.ask.models import Turn
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.search.api import searches_for, without_results

_KEPT = timedelta(days=90)
_LISTED = 100


@dataclass(frozen=True, slots=True)
class DocumentationGap:
    """A question that the sources did not answer, in the words of its last asker.

    product: its name, "" where all were asked. asked, searched: how often.
    """

    text: str
    product: str
    asked: int
    searched: int
    last: datetime

    @property
    def count(self) -> int:
        return self.asked + self.searched


def documentation_gaps(
    principal: Principal, product: Product | None = None
) -> list[DocumentationGap]:
    """Return what was asked and searched in vain, the most frequent first.

    Of the products that one maintains, or of one of them; of all for administrators.
    Who asked is not told. Raises PermissionDenied for others. Queries: 4.
    """
    searches = searches_for(principal)  # raises for who maintains nothing
    if product is not None:
        searches = searches.filter(product=product)
    gaps: dict[tuple[str, str], DocumentationGap] = {}
    for each in without_results(searches):
        found = DocumentationGap(each.query, each.product, 0, each.count, each.last)
        gaps[_words(each.query), each.product] = found
    for turn in _unanswered(principal, product):
        text, name = turn["text"], turn["conversation__product__name"] or ""
        key = (_words(text), name)
        before = gaps.get(key) or DocumentationGap(text, name, 0, 0, turn["last"])
        last = max(before.last, turn["last"])
        gaps[key] = replace(before, asked=before.asked + turn["count"], last=last)
    ordered = sorted(gaps.values(), key=lambda g: (-g.count, -g.last.timestamp()))
    return ordered[:_LISTED]


def _words(text: str) -> str:
    return " ".join(text.lower().split()).rstrip("?？.。! ")


def _unanswered(
    principal: Principal, product: Product | None
) -> Sequence[dict[str, Any]]:
    rows = Turn.objects.filter(
        outcome="not_found", created_at__gt=timezone.now() - _KEPT
    )
    if not (principal.is_admin and principal.product_ids is None):
        maintained = Product.objects.maintained_by(principal)
        rows = rows.filter(conversation__product__in=maintained)
    if product is not None:
        rows = rows.filter(conversation__product=product)
    return list(
        rows.order_by()
        .values("question", "conversation__product__name")
        .annotate(count=Count("pk"), last=Max("created_at"), text=Max("question"))
        .order_by("-count", "-last")[:_LISTED]
    )


def count_unanswered(product: Product, since: datetime, until: datetime) -> int:
    """Return how many questions about one product found no answer. Queries: 1."""
    return Turn.objects.filter(
        conversation__product=product,
        outcome="not_found",
        created_at__gte=since,
        created_at__lt=until,
    ).count()


def bad_ratings(product: Product) -> QuerySet[Turn]:
    """Return answers that readers rated as wrong and nobody settled, oldest first.

    Only of conversations about this one product.
    """
    rows = Turn.objects.filter(
        conversation__product=product, rating=-1, resolved_at=None
    )
    return rows.select_related("conversation__owner").order_by("pk")
