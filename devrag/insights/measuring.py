"""What a task measures aside, so that no request has to."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from devrag.insights.models import StorageSize
from devrag.insights.source_sizes import record_missing_sizes
from devrag.insights.storage import measure_storage
from devrag.insights.wiki_measures import measure_wikis

_STORAGE_EVERY = timedelta(hours=1)


def measure_what_changed() -> None:
    """Measure wikis and sources that changed, and the storage once an hour."""
    measure_wikis()
    record_missing_sizes()
    if not _is_storage_known():
        measure_storage()


def _is_storage_known() -> bool:
    since = timezone.now() - _STORAGE_EVERY
    return StorageSize.objects.filter(measured_at__gt=since).exists()
