"""What language models cost: of a run, of a product's day and month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db.models import Count, DecimalField, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from devrag.spending.models import (
    ASK_PURPOSE,
    CONFLICTS_PURPOSE,
    EMBEDDING_PURPOSE,
    RERANK_PURPOSE,
    ModelCall,
)

_NONE = Decimal(0)


@dataclass(frozen=True, slots=True)
class Spend:
    """Calls with what they used, in tokens and dollars.

    reserved: for calls that are at work. unpriced: calls without a known price.
    """

    calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost: Decimal
    reserved: Decimal
    unpriced: int


def calls_of_run(run: UUID) -> QuerySet[ModelCall]:
    """Return the calls of language models of a run."""
    return _language().filter(run=run)


def calls_of_month(product_id: int) -> QuerySet[ModelCall]:
    """Return the calls of language models for a product in this calendar month."""
    return _language().filter(product=product_id, created_at__gte=month_begin())


def answers_of_day(product_id: int) -> QuerySet[ModelCall]:
    """Return the calls that answered questions about a product today."""
    calls = ModelCall.objects.filter(product=product_id, purpose=ASK_PURPOSE)
    return calls.filter(created_at__gte=day_begin())


def comparisons_of_month(product_id: int) -> QuerySet[ModelCall]:
    """Return the calls that compared documents with code in this calendar month."""
    return calls_of_month(product_id).filter(purpose=CONFLICTS_PURPOSE)


def month_begin() -> datetime:
    """Return when this calendar month began, in the instance's time zone."""
    return day_begin().replace(day=1)


def day_begin() -> datetime:
    """Return when today began, in the instance's time zone."""
    now = timezone.localtime()
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _language() -> QuerySet[ModelCall]:
    return ModelCall.objects.exclude(purpose__in=(EMBEDDING_PURPOSE, RERANK_PURPOSE))


def add_up(calls: QuerySet[ModelCall]) -> Spend:
    """Return the sums over some calls."""
    is_open = Q(finished_at=None)
    money: DecimalField[Decimal, Decimal] = DecimalField(
        max_digits=20, decimal_places=6
    )
    return Spend(
        **calls.aggregate(
            # Counted first: a sum takes its field's name over.
            calls=Count("pk"),
            unpriced=Count("pk", filter=~is_open & Q(cost=None)),
            input_tokens=Coalesce(Sum("input_tokens"), 0),
            cached_input_tokens=Coalesce(Sum("cached_input_tokens"), 0),
            output_tokens=Coalesce(Sum("output_tokens"), 0),
            cost=Coalesce(Sum("cost"), _NONE, output_field=money),
            reserved=Coalesce(
                Sum("reserved_cost", filter=is_open), _NONE, output_field=money
            ),
        )
    )
