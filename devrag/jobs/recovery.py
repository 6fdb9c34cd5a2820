"""What the tick does: give lost batches back, wake what waits. Safe to run twice."""

from __future__ import annotations

from datetime import timedelta

import psutil
from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from devrag.core.errors import ServiceError
from devrag.jobs.engine import MAX_ATTEMPTS, advance_job
from devrag.jobs.models import Batch, BatchState, Job, JobEvent, JobState
from devrag.jobs.services import fail_job
from devrag.jobs.wake import wake

_STALLED = timedelta(seconds=10)


def release_lost_batches() -> int:
    """Reopen batches whose lease ran out or whose worker on this host is gone.

    A batch that is being written holds its row lock and is skipped.
    """
    with transaction.atomic():
        running = Batch.objects.select_for_update(skip_locked=True, of=("self",))
        running = running.filter(state=BatchState.RUNNING, job__state=JobState.RUNNING)
        lost = [batch for batch in running.select_related("job") if _is_lost(batch)]
        again = [batch for batch in lost if batch.attempts < MAX_ATTEMPTS]
        for batch in again:
            _reopen(batch)
    # Outside: failing a job takes its row, which a live batch of it may hold.
    for batch in set(lost) - set(again):
        text = f"A worker was lost {batch.attempts} times on batch {batch.ordinal}."
        fail_job(job=batch.job, error=ServiceError(f"{text} See the worker's log."))
    return len(lost)


def _is_lost(batch: Batch) -> bool:
    if batch.lease_until is None or batch.lease_until < timezone.now():
        return True
    host, _, pid = batch.worker.rpartition(":")
    return host == settings.HOST_NAME and not psutil.pid_exists(int(pid))


def _reopen(batch: Batch) -> None:
    Batch.objects.filter(pk=batch.pk).update(state=BatchState.OPEN, lease_until=None)
    JobEvent.objects.create(
        job=batch.job,
        level=JobEvent.Level.WARNING,
        message=f"Worker {batch.worker} was lost; batch {batch.ordinal} starts again.",
    )


def wake_stalled_jobs() -> int:
    """Wake pending jobs, and running ones on which nothing moved for a while."""
    woken = 0
    for job_id in Job.objects.filter(state=JobState.PENDING).values_list(
        "pk", flat=True
    ):
        wake(job_id, "tick")
        woken += 1
    for job in Job.objects.filter(state=JobState.RUNNING):
        woken += _wake_running(job)
    return woken


def _wake_running(job: Job) -> int:
    batches = Batch.objects.filter(job=job, phase=job.phase)
    waiting = batches.exclude(state=BatchState.DONE)
    if not waiting.exists():
        advance_job(job.pk)
        return 1
    last = batches.aggregate(a=Max("started_at"), b=Max("finished_at"))
    moved = max((moment for moment in last.values() if moment), default=None)
    if moved and timezone.now() - moved < _STALLED:
        return 0
    queues = waiting.filter(state=BatchState.OPEN).values_list("queue", flat=True)
    for queue in set(queues):
        wake(job.pk, queue)
    return len(queues)
