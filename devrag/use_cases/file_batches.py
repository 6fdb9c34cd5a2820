"""The files of a job in portions that one worker takes at a time."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from devrag.jobs.workflow import BatchPlan
from devrag.sources.models import File

_FILES = 300


def batches_of_files(files: QuerySet[File]) -> Iterator[BatchPlan]:
    """Yield batches whose payload has the ids of their files, `fileIDs`. Queries: 1."""
    ids = list(files.order_by("pk").values_list("pk", flat=True))
    for first in range(0, len(ids), _FILES):
        part = ids[first : first + _FILES]
        yield BatchPlan({"fileIDs": part}, units=len(part))
