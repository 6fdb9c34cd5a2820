"""Whose turn it is on a queue: the running job that was served longest ago.

A message wakes a worker for one job; which job it serves is decided here, so that no
number of messages lets a big one crowd out a small one.
"""

from __future__ import annotations

import math
import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from devrag.jobs.batch_run import BatchRun
from devrag.jobs.engine import claim_batch
from devrag.jobs.models import Batch, BatchState, Job, JobState
from devrag.jobs.workflow import get_workflow


def claim_in_turn(queue: str) -> BatchRun | None:
    """Take a batch of the job that waited longest, or None when nothing may start."""
    for job_id in _in_turn(queue).values_list("pk", flat=True):
        run = claim_batch(job_id, queue)
        if run is not None:
            return run
    return None


def seconds_to_wait(job_id: uuid.UUID, queue: str) -> float | None:
    """Return when to look at a job again; None when nothing waits or it is held."""
    job = _in_turn(queue).filter(pk=job_id).first()
    if job is None:
        return None
    seconds = get_workflow(job.kind).phases[job.phase].wait(job)
    return None if math.isinf(seconds) else seconds


@dataclass(frozen=True, slots=True)
class QueueLoad:
    """How busy a queue is. jobs: that take turns on it; running: batches at work."""

    jobs: int
    running: int


def queue_load(queue: str, *, since: datetime) -> QueueLoad:
    """Return the load of a queue; a job counts that had a batch start since then.

    Queries: 1.
    """
    batches = Batch.objects.order_by().filter(
        job=OuterRef("pk"), phase=OuterRef("phase"), queue=queue
    )
    unfinished = batches.filter(state__in=[BatchState.OPEN, BatchState.RUNNING])
    at_work = batches.filter(state=BatchState.RUNNING).values("job")
    jobs = Job.objects.filter(
        Exists(unfinished),
        Exists(batches.filter(started_at__gt=since)),
        state=JobState.RUNNING,
    ).annotate(at_work=Subquery(at_work.annotate(n=Count("pk")).values("n")))
    found = jobs.values_list("at_work", flat=True)
    return QueueLoad(jobs=len(found), running=sum(count or 0 for count in found))


def _in_turn(queue: str) -> QuerySet[Job]:
    """Return running jobs with batches to claim; new ones were never served."""
    batches = Batch.objects.order_by().filter(
        job=OuterRef("pk"), phase=OuterRef("phase"), queue=queue
    )
    is_due = Q(not_before=None) | Q(not_before__lte=timezone.now())
    served = batches.values("job").annotate(at=Max("started_at")).values("at")
    return (
        Job.objects.filter(
            Exists(batches.filter(is_due, state=BatchState.OPEN)),
            state=JobState.RUNNING,
        )
        .annotate(served_at=Subquery(served))
        .order_by(F("served_at").asc(nulls_first=True), "started_at")
    )
