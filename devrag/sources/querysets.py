"""Which sources a caller sees, and the rows that are current."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

from devrag.core.principal import Principal
from devrag.products.limits import hidden_limits
from devrag.products.models import Product

DOCUMENT_TYPES = ("confluence", "redmine", "notion", "github", "gitlab")

if TYPE_CHECKING:
    from devrag.sources.models import Source


class SourceQuerySet(models.QuerySet["Source"]):
    """Sources filtered by who may see them."""

    def visible_to(self, principal: Principal) -> SourceQuerySet:
        """Keep those of products that the principal may read, within their limits."""
        rows = self.filter(product__in=Product.objects.visible_to(principal))
        return rows.within_limits(principal)

    def within_limits(self, principal: Principal) -> SourceQuerySet:
        """Leave out those that are limited to others.

        For sources of products that the principal may read.
        """
        return self.exclude(pk__in=hidden_limits(principal).values("source_id"))

    def of_documents(self) -> SourceQuerySet:
        """Keep those whose files are pages and tickets."""
        return self.filter(source_type__in=DOCUMENT_TYPES)


_SourceManager = models.Manager.from_queryset(SourceQuerySet)


class LiveSources(_SourceManager["Source"]):
    """All sources but those that are being deleted."""

    def get_queryset(self) -> models.QuerySet[Source]:
        return super().get_queryset().filter(is_deleting=False)
