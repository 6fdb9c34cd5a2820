"""The Celery application; tasks are in each package's tasks.py."""

from __future__ import annotations

import gc
import os
import time
from typing import Any

import structlog
from celery import Celery
from celery.signals import (
    heartbeat_sent,
    setup_logging,
    task_prerun,
    worker_init,
    worker_process_shutdown,
    worker_ready,
)
from django.conf import settings
from redis import RedisError

from devrag.core.metrics import flush

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
# Checks would load every view and the REST interface into each worker: 26 MB a process.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")

app = Celery("devrag")
app.config_from_object(settings.CELERY)
app.autodiscover_tasks()


@setup_logging.connect
def keep_our_logging(**_kwargs: object) -> None:
    """Django has configured logging already; Celery must not replace it."""


@worker_init.connect
def keep_code_out_of_collections(**_kwargs: object) -> None:
    """Before the pool forks: what is loaded now stays, so no collection looks at it.

    Collections would read hundreds of thousands of objects each time, and by that give
    each process a copy of the pages that all share.
    """
    gc.collect()
    gc.freeze()


@task_prerun.connect
def tell_origin(task_id: str, **_kwargs: object) -> None:
    """What a task does comes from no command that somebody types."""
    # Needs the apps, which are set up after this module.
    from devrag.audit.api import Entry, Origin, bind_origin  # noqa: PLC0415

    bind_origin(Origin(Entry.JOB, request_id=task_id))


@worker_ready.connect
def tick_at_once(**_kwargs: object) -> None:
    """A worker that starts looks for lost work without waiting for beat."""
    app.send_task("jobs.tick", queue="tick", expires=30)
    app.send_task("operations.report_missing_keys", queue="tick", expires=30)


@worker_process_shutdown.connect
def keep_what_was_counted(**_kwargs: object) -> None:
    """A process of a pool ends without what Python does at the end of others."""
    flush()


# A worker tells Celery every two seconds, pages need it less often.
_SIGN_SECONDS = 10.0
_next_sign = 0.0


@heartbeat_sent.connect
def leave_sign(sender: Any, **_kwargs: object) -> None:
    """Tell the page about workers that this one is there. sender: Celery's Heart."""
    global _next_sign
    if time.monotonic() < _next_sign:
        return
    _next_sign = time.monotonic() + _SIGN_SECONDS
    # Needs the apps, which are set up after this module.
    from devrag.jobs.api import leave_worker_sign  # noqa: PLC0415

    try:
        leave_worker_sign(sender.eventer.hostname, app.amqp.queues.consume_from)
    except RedisError as error:
        structlog.get_logger("devrag.jobs").warning("no sign left", error=str(error))
