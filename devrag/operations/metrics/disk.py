"""Space on the disk of the web process's host, and what takes it everywhere."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from devrag.core.metrics import Metric, Sample
from devrag.insights.models import StorageSize
from devrag.operations.metrics.gauges import gauge

# What a host that is gone took is left out after that.
_LATELY = timedelta(days=7)


def describe_disk() -> Iterator[Metric]:
    """Yield free and all space, and the last measured size of each part. Queries: 1."""
    home = settings.DEVRAG_HOME
    folder = next(path for path in (home, *home.parents) if path.exists())
    disk = shutil.disk_usage(folder)
    yield gauge("devrag_disk_free_bytes", "Space left where data is kept.", disk.free)
    yield gauge("devrag_disk_size_bytes", "Size of that file system.", disk.total)
    name = "devrag_storage_bytes"
    newest = StorageSize.objects.order_by("host", "part", "-day")
    newest = newest.filter(day__gt=timezone.now().date() - _LATELY)
    parts = newest.distinct("host", "part").values_list("host", "part", "bytes")
    samples = [
        Sample(name, (("host", host), ("part", part)), float(size))
        for host, part, size in parts
    ]
    yield Metric(name, "gauge", "What a part takes, measured hourly.", samples)
