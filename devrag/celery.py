"""The Celery application; tasks are in each package's tasks.py."""

from __future__ import annotations

import gc
import os

from celery import Celery
from celery.signals import setup_logging, worker_init, worker_ready
from django.conf import settings

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


@worker_ready.connect
def tick_at_once(**_kwargs: object) -> None:
    """A worker that starts looks for lost work without waiting for beat."""
    app.send_task("jobs.tick", queue="tick", expires=30)
    app.send_task("operations.report_missing_keys", queue="tick", expires=30)
