"""Count what becomes of jobs, and put their ids on the log lines of their work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import structlog
from django.db import transaction
from django.utils import timezone

from devrag.core.metrics import count, observe
from devrag.core.metrics.definitions import (
    BATCH_RETRIES,
    JOB_SECONDS,
    JOBS,
    LEASE_LOSSES,
)
from devrag.core.request_id import bound_request_id
from devrag.jobs.models import Job, JobState

log = structlog.get_logger("devrag.jobs")
_MEASURED = (JobState.COMPLETED, JobState.FAILED)


@contextmanager
def logged_as(job: Job) -> Iterator[None]:
    """Put the ids of a job and of what asked for it on all log lines within."""
    with bound_request_id(job.trace_id, job=str(job.pk)):
        yield


def record_end(job: Job, state: JobState, *, error_code: str = "") -> None:
    """Count and log that a job ended, if and when the transaction commits."""
    transaction.on_commit(partial(_record_end, job, state, error_code))


def _record_end(job: Job, state: JobState, error_code: str) -> None:
    now = timezone.now()
    seconds = (now - (job.started_at or now)).total_seconds()
    count(JOBS, job.kind, state.value)
    if state in _MEASURED:
        observe(JOB_SECONDS, job.kind, seconds=seconds)
    with logged_as(job):
        log.info(
            "job ended",
            kind=job.kind,
            state=state.value,
            seconds=round(seconds, 3),
            **({"error_code": error_code} if error_code else {}),
        )


def record_retry(job: Job) -> None:
    """Count a piece of a job that failed and is tried again."""
    count(BATCH_RETRIES, job.kind)


def record_loss(job: Job) -> None:
    """Count a piece of a job that lost its worker, if the transaction commits."""
    transaction.on_commit(partial(count, LEASE_LOSSES, job.kind))
