"""Celery's side of jobs: thin tasks around the engine."""

from __future__ import annotations

import math
import time
import uuid
from datetime import timedelta

from celery import shared_task
from django.conf import settings

from devrag.jobs import engine, recovery, services
from devrag.jobs import scheduling as turns
from devrag.jobs.heartbeat import leave_heartbeat
from devrag.jobs.models import Job, JobState
from devrag.jobs.notify import wake
from devrag.spending import budget

# After a slice a job goes to the end of the queue, so that none waits behind a big one.
_SLICE_SECONDS = 2.0
# Well under the broker's visibility timeout; who must wait longer is asked again then.
_LONGEST_WAIT_SECONDS = 60


@shared_task(name="jobs.work")
def work(job_id: str, queue: str) -> None:
    """Start a waiting job, work on a running one for a while, tidy up an ended one."""
    key = uuid.UUID(job_id)
    job = Job.objects.filter(pk=key).first()
    if job is None:
        return
    if job.state == JobState.PENDING:
        engine.start_job(key)
    elif not job.is_open:
        services.tidy_job(job=job)
    elif (seconds := work_slice(key, queue)) is not None:
        delay = min(math.ceil(seconds), _LONGEST_WAIT_SECONDS)
        wake(key, queue, delay_seconds=delay)


def work_slice(job_id: uuid.UUID, queue: str) -> float | None:
    """Run batches for about a slice, of the job whose turn it is.

    Returns the seconds after which the given job wants to be looked at again, if any.
    """
    deadline = time.monotonic() + _SLICE_SECONDS
    run = turns.claim_in_turn(queue)
    while run is not None:
        engine.run_batch(run)
        engine.advance_job(run.job.pk)
        is_over = time.monotonic() > deadline
        run = None if is_over else engine.claim_batch(run.job.pk, queue)
    return turns.seconds_to_wait(job_id, queue)


@shared_task(name="jobs.tick")
def tick() -> None:
    """Give lost batches back and wake what waits; safe beside another tick."""
    leave_heartbeat()
    recovery.release_lost_batches()
    budget.settle_lost_calls()
    recovery.wake_stalled_jobs()
    recovery.wake_for_tidying()


@shared_task(name="jobs.expire_jobs")
def expire_jobs() -> None:
    """Delete jobs that finished longer ago than the setting says."""
    services.expire_jobs(retention=timedelta(hours=settings.JOB_RETENTION_HOURS))
