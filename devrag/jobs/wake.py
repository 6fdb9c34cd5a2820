"""Celery only wakes: a lost message costs seconds, never work."""

from __future__ import annotations

import uuid

import structlog
from celery import current_app
from kombu.exceptions import OperationalError

log = structlog.get_logger("devrag.jobs")
MESSAGE_SECONDS = 60


def wake(job_id: uuid.UUID, queue: str, *, times: int = 1) -> None:
    """Ask for workers on a job; a broker that is down is noted, the tick asks again."""
    try:
        for _ in range(times):
            current_app.send_task(
                "jobs.work",
                args=[str(job_id), queue],
                queue=queue,
                expires=MESSAGE_SECONDS,
                retry=False,
            )
    except OperationalError as error:
        log.warning("broker unreachable, the tick will wake the job", error=str(error))
