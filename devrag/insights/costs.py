"""What models cost for a product in this calendar month, by use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from devrag.products.models import Product
from devrag.spending.models import ModelCall
from devrag.spending.totals import month_begin


@dataclass(frozen=True, slots=True)
class UseCost:
    """Calls of a model for one use. unpriced: calls whose price is not known."""

    purpose: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost: Decimal
    unpriced: int


@dataclass(frozen=True, slots=True)
class MonthCost:
    """The uses of a month, the dearest first. since: its first day."""

    since: date
    uses: tuple[UseCost, ...]

    @property
    def calls(self) -> int:
        return sum(use.calls for use in self.uses)

    @property
    def tokens(self) -> int:
        return sum(use.input_tokens + use.output_tokens for use in self.uses)

    @property
    def cost(self) -> Decimal:
        return sum((use.cost for use in self.uses), Decimal(0))

    @property
    def unpriced(self) -> int:
        return sum(use.unpriced for use in self.uses)


def cost_of_month(product: Product) -> MonthCost:
    """Return what was asked of models this month. Queries: 1."""
    begin = month_begin()
    calls = ModelCall.objects.filter(product=product, created_at__gte=begin)
    return MonthCost(begin.date(), tuple(_by_use(calls)))


def _by_use(calls: QuerySet[ModelCall]) -> Sequence[UseCost]:
    ended = calls.exclude(finished_at=None).order_by()
    rows = ended.values("purpose", named=F("model")).annotate(
        calls=Count("pk"),
        unpriced=Count("pk", filter=Q(cost=None)),
        tokens_in=Coalesce(Sum("input_tokens"), 0),
        tokens_out=Coalesce(Sum("output_tokens"), 0),
        dollars=Coalesce(Sum("cost"), Decimal(0)),
    )
    found = [
        UseCost(
            purpose=row["purpose"],
            model=row["named"],
            calls=row["calls"],
            input_tokens=row["tokens_in"],
            output_tokens=row["tokens_out"],
            cost=row["dollars"],
            unpriced=row["unpriced"],
        )
        for row in rows
    ]
    return sorted(found, key=lambda use: (-use.cost, -use.calls, use.purpose))
