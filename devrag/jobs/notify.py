"""Celery only wakes: a lost message costs seconds, never work."""

from __future__ import annotations

import uuid

import structlog
from celery import current_app
from kombu.exceptions import OperationalError

log = structlog.get_logger("devrag.jobs")
MESSAGE_SECONDS = 60
# Someone waits for the answer of the request that enqueues: one short try, no more.
# kombu's own default tries for 6 s on a refused connection, forever on a silent one.
_ONE_TRY = {"max_retries": 0, "socket_connect_timeout": 1.0, "socket_timeout": 1.0}


def wake(
    job_id: uuid.UUID, queue: str, *, times: int = 1, delay_seconds: int = 0
) -> None:
    """Ask for workers on a job; a broker that is down is noted, the tick asks again.

    Returns within about two seconds, whatever state the broker is in.
    """
    try:
        with current_app.connection_for_write(transport_options=_ONE_TRY) as connection:
            for _ in range(times):
                current_app.send_task(
                    "jobs.work",
                    args=[str(job_id), queue],
                    queue=queue,
                    expires=MESSAGE_SECONDS + delay_seconds,
                    countdown=delay_seconds or None,
                    retry=False,
                    connection=connection,
                )
    except OperationalError as error:
        log.warning("broker unreachable, the tick will wake the job", error=str(error))
