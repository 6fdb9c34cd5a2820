"""What is close in meaning to a definition, beside what its page shows already."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.search.api import CLOSE, find_related
from devrag.search.types import MAX_LIMIT, SearchQuery
from devrag.web.pages.hits import HitView, to_view

_SHOWN = 8


@dataclass(frozen=True, slots=True)
class RelatedPage:
    """has_vector: False while the definition waits to be embedded."""

    hits: tuple[HitView, ...]
    has_vector: bool


def get_related(principal: Principal, product: Product, uuid: UUID) -> RelatedPage:
    """Return what is close to a definition and not bound to it by a use."""
    query = SearchQuery(
        text=str(uuid), principal=principal, product=product.name, limit=MAX_LIMIT
    )
    result = find_related(query)
    close = [hit for hit in result.hits if hit.why == CLOSE][:_SHOWN]
    return RelatedPage(tuple(map(to_view, close)), has_vector=not result.notes)
