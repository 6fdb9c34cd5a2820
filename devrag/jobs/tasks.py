"""Celery's side of jobs: thin tasks around the engine."""

from __future__ import annotations

import time
import uuid
from datetime import timedelta

from celery import shared_task
from django.conf import settings

from devrag.jobs import engine, recovery, services
from devrag.jobs.heartbeat import leave_heartbeat
from devrag.jobs.models import Job, JobState
from devrag.jobs.wake import wake

# After a slice a job goes to the end of the queue, so that none waits behind a big one.
_SLICE_SECONDS = 2.0


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
    elif work_slice(key, queue):
        wake(key, queue)


def work_slice(job_id: uuid.UUID, queue: str) -> bool:
    """Run batches for about a slice; True when there may be more on this queue."""
    deadline = time.monotonic() + _SLICE_SECONDS
    while time.monotonic() < deadline:
        run = engine.claim_batch(job_id, queue)
        if run is None:
            return False
        engine.run_batch(run)
        engine.advance_job(job_id)
    return True


@shared_task(name="jobs.tick")
def tick() -> None:
    """Give lost batches back and wake what waits; safe beside another tick."""
    leave_heartbeat()
    recovery.release_lost_batches()
    recovery.wake_stalled_jobs()
    recovery.wake_for_tidying()


@shared_task(name="jobs.expire_jobs")
def expire_jobs() -> None:
    """Delete jobs that finished longer ago than the setting says."""
    services.expire_jobs(retention=timedelta(hours=settings.JOB_RETENTION_HOURS))
