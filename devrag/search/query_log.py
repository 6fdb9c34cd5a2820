"""What was asked, kept for a month: what finds nothing, and what is asked most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.core import signing
from django.db import DatabaseError, transaction
from django.db.models import Count, F, Max, Q, QuerySet, TextField, Value
from django.utils import timezone
from django.utils.translation import gettext

from devrag.core.errors import NotFound, PermissionDenied
from devrag.core.principal import Principal
from devrag.core.text import clean_text
from devrag.products.models import Product
from devrag.search.line_search.pattern import find_pattern
from devrag.search.models import SearchLog
from devrag.search.types import MAX_LIMIT, SearchResult

log = structlog.get_logger("devrag.search")
KEPT = timedelta(days=30)
# Within it, a query that goes on from the last one was being typed.
_TYPING = timedelta(seconds=10)
_SALT = "devrag.search.log"
_LISTED = 100


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """A query by its words. opened: how often a hit was opened afterwards."""

    query: str
    product: str
    count: int
    last: datetime
    opened: int


def log_search(result: SearchResult, *, is_typing: bool = False) -> str:
    """Keep what was asked; return a token that `note_opened` takes, '' without one.

    A failure is logged and never the search's. is_typing: what the same person typed
    on the way to this query is forgotten.
    """
    if not settings.IS_SEARCH_LOGGED:
        return ""
    try:
        with transaction.atomic():
            row = _insert(result, is_typing=is_typing)
    except DatabaseError as error:
        log.warning("search not logged", error=str(error))
        return ""
    return signing.dumps(row.pk, salt=_SALT)


def _insert(result: SearchResult, *, is_typing: bool) -> SearchLog:
    query = result.query
    text = clean_text(query.text.strip())
    words = " ".join(text.lower().split())
    if is_typing:
        _forget_typed(query.principal, words)
    asked = find_pattern(query.text)
    return SearchLog.objects.create(
        query=text,
        words=words,
        product=Product.objects.filter(name=query.product).first()
        if query.product
        else None,
        mode=asked[0].name if asked else query.mode,
        hit_count=len(result.hits),
        confidence=result.confidence,
        latency_ms=result.milliseconds,
        principal=query.principal.name,
    )


def _forget_typed(principal: Principal, words: str) -> None:
    rows = SearchLog.objects.filter(
        principal=principal.name,
        clicked_rank=None,
        at__gt=timezone.now() - _TYPING,
    )
    typed = rows.annotate(now=Value(words, output_field=TextField()))
    typed.filter(Q(now__startswith=F("words")) | Q(words__startswith=words)).delete()


def note_opened(token: str, rank: int) -> None:
    """Keep the rank of the hit that was opened first. Raises NotFound."""
    try:
        key = signing.loads(token, salt=_SALT, max_age=KEPT)
    except signing.BadSignature as error:
        raise NotFound(gettext("Search not found.")) from error
    if not 1 <= rank <= MAX_LIMIT:
        raise NotFound(gettext("There is no result %(rank)s.") % {"rank": rank})
    rows = SearchLog.objects.filter(pk=key, clicked_rank=None)
    rows.update(clicked_rank=rank)


def may_see_searches(principal: Principal) -> bool:
    """Return whether one maintains a product, or all."""
    maintained = Product.objects.maintained_by(principal)
    return principal.is_admin or maintained.exists()


def searches_for(principal: Principal) -> QuerySet[SearchLog]:
    """Return searches of the products that one maintains; all for administrators."""
    if not may_see_searches(principal):
        raise PermissionDenied(
            gettext("Only maintainers of a product can view its searches.")
        )
    if principal.is_admin and principal.product_ids is None:
        return SearchLog.objects.all()
    maintained = Product.objects.maintained_by(principal)
    return SearchLog.objects.filter(product__in=maintained)


def most_asked(rows: QuerySet[SearchLog]) -> Sequence[AskedQuery]:
    """Return what is asked most often."""
    return _grouped(rows)


def without_results(rows: QuerySet[SearchLog]) -> Sequence[AskedQuery]:
    """Return what never found anything but what is nearest, the most asked first."""
    return _grouped(rows, Q(hits=0) | Q(found=0))


def _grouped(rows: QuerySet[SearchLog], wanted: Q | None = None) -> list[AskedQuery]:
    groups = (
        rows.order_by()
        .values("words", "product__name")
        .annotate(
            count=Count("pk"),
            text=Max("query"),
            last=Max("at"),
            hits=Max("hit_count"),
            found=Count("pk", filter=Q(confidence="high")),
            opened=Count("clicked_rank"),
        )
        .filter(wanted or Q())
        .order_by("-count", "-last")[:_LISTED]
    )
    return [
        AskedQuery(
            query=row["text"],
            product=row["product__name"] or "",
            count=row["count"],
            last=row["last"],
            opened=row["opened"],
        )
        for row in groups
    ]
