"""Which sources a query is asked of."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.search.prepared import prepared_cursor
from devrag.search.types import SearchQuery
from devrag.sources.models import Source


def sources_in_scope(query: SearchQuery) -> list[int]:
    """Return ids of the sources in scope; an unknown or invisible name is NotFound."""
    source_ids = _visible_sources(query)
    if not source_ids and query.product:
        visible = Product.objects.visible_to(query.principal)
        if not visible.filter(name=query.product).exists():
            raise NotFound(
                gettext("There is no product '%(name)s'.") % {"name": query.product}
            )
    if not source_ids and query.source:
        raise NotFound(
            gettext("There is no source '%(name)s' here.") % {"name": query.source}
        )
    return source_ids


def _visible_sources(query: SearchQuery) -> list[int]:
    try:
        statement, values = _sources_statement(
            query.principal, query.product, query.source
        )
    except EmptyResultSet:
        return []
    with prepared_cursor() as cursor:
        cursor.execute(statement, values)
        return [row[0] for row in cursor]


# Kept, because to build it takes longer than to answer it.
@lru_cache(maxsize=256)
def _sources_statement(
    principal: Principal, product: str, source: str
) -> tuple[str, tuple[Any, ...]]:
    rows = Source.objects.visible_to(principal)
    if product:
        rows = rows.filter(product__name=product)
    if source:
        rows = rows.filter(name=source)
    return rows.values("pk").query.sql_with_params()
