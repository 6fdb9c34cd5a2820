"""Which products a caller sees; every entry point goes through `visible_to`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q

from devrag.core.principal import Principal, Role

if TYPE_CHECKING:
    from devrag.products.models import Product


class ProductQuerySet(models.QuerySet["Product"]):
    """Products filtered by what a principal may do."""

    def visible_to(self, principal: Principal) -> ProductQuerySet:
        """Keep what the principal may read; the rest does not exist for them."""
        if not principal.may("read") or principal.role < Role.VIEWER:
            return self.none()
        rows = self
        if principal.product_ids is not None:
            rows = rows.filter(pk__in=principal.product_ids)
        if principal.is_admin or principal.is_everywhere:
            return rows
        is_open = Q(visibility="everyone")
        if principal.user_id is None:
            # A token without an owner was given its products by name.
            is_given = principal.product_ids is not None
            return rows if is_given else rows.filter(is_open)
        return rows.filter(
            is_open | Q(memberships__user_id=principal.user_id)
        ).distinct()

    def maintained_by(self, principal: Principal) -> ProductQuerySet:
        """Keep what the principal may change: sources, index, wiki."""
        rows = self.visible_to(principal)
        if principal.is_admin:
            return rows
        if principal.user_id is None or principal.is_everywhere:
            return rows.none() if principal.role < Role.MAINTAINER else rows
        return rows.filter(
            memberships__user_id=principal.user_id, memberships__role="maintainer"
        )


_ProductManager = models.Manager.from_queryset(ProductQuerySet)


class LiveProducts(_ProductManager["Product"]):
    """All products but those that are being deleted."""

    def get_queryset(self) -> models.QuerySet[Product]:
        return super().get_queryset().filter(is_deleting=False)
