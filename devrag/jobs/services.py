"""Ask for, cancel, retry and end jobs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from devrag.core.errors import Conflict, DevragError
from devrag.jobs.models import OPEN_STATES, Batch, BatchState, Job, JobEvent, JobState
from devrag.jobs.wake import wake
from devrag.jobs.workflow import get_workflow
from devrag.products.models import Product

# A newer job of a lane takes these over from the waiting one it replaces (O5).
INHERITED_FLAGS = ("generateWiki", "full")


def lock_lane(lane: str) -> None:
    """Serialise claim and hand-over of a lane until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [lane])


@transaction.atomic
def enqueue_job(
    *,
    kind: str,
    lane: str,
    product: Product,
    params: Mapping[str, Any],
    source_name: str = "",
    requested_by: str = "",
) -> Job:
    """Record a job and wake a worker on commit. Latest Only: it replaces a waiting one.

    The replaced job becomes `skipped`, names its successor, and hands its flags over.
    """
    lock_lane(lane)
    waiting = list(Job.objects.filter(lane=lane, state=JobState.PENDING))
    merged = dict(params)
    for flag in INHERITED_FLAGS:
        if any(job.params.get(flag) for job in waiting):
            merged[flag] = True
    job = Job.objects.create(
        kind=kind,
        lane=lane,
        product=product,
        params=merged,
        source_name=source_name,
        requested_by=requested_by,
    )
    Job.objects.filter(pk__in=[old.pk for old in waiting]).update(
        state=JobState.SKIPPED, superseded_by=job, finished_at=timezone.now()
    )
    transaction.on_commit(partial(wake, job.pk, "tick"))
    return job


@transaction.atomic
def cancel_job(*, job: Job) -> Job:
    """Stop an open job; what its batches committed stays for the next run."""
    changed = Job.objects.filter(pk=job.pk, state__in=OPEN_STATES).update(
        state=JobState.CANCELLED, finished_at=timezone.now()
    )
    if not changed:
        raise Conflict(f"Job {job.pk} is {job.state} already and cannot be cancelled.")
    JobEvent.objects.create(job=job, message="Cancelled.")
    job.refresh_from_db()
    return job


@transaction.atomic
def retry_job(*, job: Job) -> Job:
    """Ask again for a failed or cancelled job, as a new job of the same lane."""
    if job.state not in (JobState.FAILED, JobState.CANCELLED):
        raise Conflict(
            f"Job {job.pk} is {job.state}; only failed or cancelled jobs are retried."
        )
    if job.product is None:
        raise Conflict(f"The product of job {job.pk} is gone.")
    return enqueue_job(
        kind=job.kind,
        lane=job.lane,
        product=job.product,
        params=job.params,
        source_name=job.source_name,
        requested_by=job.requested_by,
    )


@transaction.atomic
def fail_job(*, job: Job, error: DevragError) -> None:
    """End a running job with an error that says what to do."""
    Batch.objects.filter(job=job, state=BatchState.RUNNING).update(
        state=BatchState.FAILED, error=error.message
    )
    changed = Job.objects.filter(pk=job.pk, state=JobState.RUNNING).update(
        state=JobState.FAILED,
        error=error.message,
        error_code=error.code,
        finished_at=timezone.now(),
    )
    if changed:
        JobEvent.objects.create(
            job=job, level=JobEvent.Level.ERROR, message=error.message
        )
        wake_lane(job.lane)
        get_workflow(job.kind).failed(job, error)


def wake_lane(lane: str) -> None:
    """Wake the job that waited for this lane, once the transaction is through."""
    waiting = Job.objects.filter(lane=lane, state=JobState.PENDING).first()
    if waiting is not None:
        transaction.on_commit(partial(wake, waiting.pk, "tick"))


def expire_jobs(*, retention: timedelta) -> int:
    """Delete jobs finished longer ago than `retention` (S2-8.13-5); return how many."""
    limit = timezone.now() - retention
    old = Job.objects.filter(finished_at__lt=limit).exclude(state__in=OPEN_STATES)
    count = old.count()
    old.delete()
    return count
