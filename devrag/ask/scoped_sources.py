"""Which sources a scope means, for whoever may see them."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext

from devrag.ask.types import Scope
from devrag.core.errors import NotFound
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.sources.models import Source


def visible_sources(scope: Scope, principal: Principal) -> QuerySet[Source]:
    """Return the sources of a scope that a caller may see.

    Raises NotFound for a product or source that they cannot see. Queries: ≤ 2.
    """
    rows = Source.objects.visible_to(principal)
    if scope.products:
        _check_products(scope, principal)
        rows = rows.filter(product__name__in=scope.products)
    if scope.source:
        rows = rows.filter(name=scope.source)
        if not rows.exists():
            raise NotFound(
                gettext("There is no source '%(name)s' here.")
                % {"name": scope.source[:80]}
            )
    return rows


def _check_products(scope: Scope, principal: Principal) -> None:
    visible = Product.objects.visible_to(principal).filter(name__in=scope.products)
    known = set(visible.values_list("name", flat=True))
    for name in scope.products:
        if name not in known:
            raise NotFound(
                gettext("There is no product '%(name)s'.") % {"name": name[:80]}
            )
