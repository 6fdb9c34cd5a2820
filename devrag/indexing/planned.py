"""What the plan phase of a run found, for the phases after it."""

from __future__ import annotations

from typing import Any

from devrag.jobs.models import Batch, Job
from devrag.parsing.api import ChunkOptions


def plan_result(job: Job) -> dict[str, Any]:
    """Return what the plan phase found."""
    batch = Batch.objects.filter(job=job, phase=0).first()
    result: dict[str, Any] = batch.result if batch else {}
    return result


def planned_chunking(job: Job) -> ChunkOptions:
    """Return the chunk sizes that the run began with, whatever is set meanwhile."""
    return ChunkOptions(**plan_result(job).get("chunking", {}))
