"""How much is asked and searched of a product, and how much of it found nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.db import connection

from devrag.insights.days import today
from devrag.products.models import Product


@dataclass(frozen=True, slots=True)
class AskedDay:
    """Questions and searches of a day; of each, how many found nothing."""

    day: date
    asked: int = 0
    unanswered: int = 0
    searched: int = 0
    empty: int = 0


def asked_by_day(product: Product, since: date) -> Sequence[AskedDay]:
    """Return what was asked about one product on each day from one on. Queries: 2.

    What is asked everywhere or about several products is nobody's. Conversations that
    their owner deleted and searches of 30 days ago are not known any more.
    """
    keys: dict[str, Any] = {
        "product": product.pk,
        "zone": settings.TIME_ZONE,
        "since": since,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TURNS, keys)
        turns = {day: counts for day, *counts in cursor.fetchall()}
        cursor.execute(_SEARCHES, keys)
        searches = {day: counts for day, *counts in cursor.fetchall()}
    days = (today() - since).days
    every = (since + timedelta(days=number) for number in range(days + 1))
    return tuple(
        AskedDay(day, *turns.get(day, (0, 0)), *searches.get(day, (0, 0)))
        for day in every
    )


_BEGIN = "(%(since)s::date)::timestamp AT TIME ZONE %(zone)s"
_TURNS = f"""
SELECT (t.created_at AT TIME ZONE %(zone)s)::date, count(*),
  count(*) FILTER (WHERE t.outcome = 'not_found')
FROM ask_turn t JOIN ask_conversation c ON c.id = t.conversation_id
WHERE c.product_id = %(product)s AND t.state = 'done' AND t.created_at >= {_BEGIN}
GROUP BY 1
"""
_SEARCHES = f"""
SELECT (s.at AT TIME ZONE %(zone)s)::date, count(*),
  count(*) FILTER (WHERE s.hit_count = 0 OR s.confidence <> 'high')
FROM search_searchlog s
WHERE s.product_id = %(product)s AND s.at >= {_BEGIN}
GROUP BY 1
"""
