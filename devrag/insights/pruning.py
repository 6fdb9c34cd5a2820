"""Measures that no page shows any more."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from devrag.insights.days import today
from devrag.insights.models import StorageSize, WikiMeasure
from devrag.insights.source_sizes import MEASURES_KEPT


def old_wiki_measures() -> QuerySet[WikiMeasure]:
    """Return measures of more than 400 days ago, the newest of a product aside."""
    newer = WikiMeasure.objects.filter(
        product=OuterRef("product"), day__gt=OuterRef("day")
    )
    oldest = today() - MEASURES_KEPT
    return WikiMeasure.objects.filter(Exists(newer), day__lt=oldest)


def old_storage_sizes() -> QuerySet[StorageSize]:
    """Return sizes of more than 400 days ago."""
    oldest = today() - MEASURES_KEPT
    return StorageSize.objects.filter(day__lt=oldest)
