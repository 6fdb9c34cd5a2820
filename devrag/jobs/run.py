"""One batch being worked on: the handle that phase functions get."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from devrag.core.errors import Conflict
from devrag.jobs.models import Batch, BatchState, Job, JobEvent

log = structlog.get_logger("devrag.jobs")
LEASE = timedelta(seconds=120)
_KEEP_SECONDS = 20.0
_RENEW_SECONDS = 5.0


def worker_name() -> str:
    """Return `host:pid` of this process."""
    return f"{settings.HOST_NAME}:{os.getpid()}"


@dataclass
class BatchRun:
    """A claimed batch. Its attempt number is the fencing token of the lease."""

    job: Job
    batch: Batch
    _renewed: float = field(default_factory=time.monotonic)

    @property
    def payload(self) -> dict[str, Any]:
        payload: dict[str, Any] = self.batch.payload
        return payload

    def log(self, message: str, *, level: str = "info", **data: Any) -> None:
        """Add a line to the job's log."""
        JobEvent.objects.create(job=self.job, level=level, message=message, data=data)

    def progress(self, done_units: int, *, units: int | None = None) -> None:
        """Record progress and renew the lease, at most every few seconds.

        Raises Conflict when the lease was lost or the job is no longer running.
        """
        now = time.monotonic()
        if now - self._renewed < _RENEW_SECONDS:
            return
        self._renewed = now
        changes: dict[str, Any] = {"done_units": done_units}
        if units is not None:
            changes["units"] = units
        if not self._mine().update(**changes, lease_until=timezone.now() + LEASE):
            raise lease_lost(self.batch)

    @contextmanager
    def fenced(self) -> Iterator[None]:
        """Write within: the row lock keeps the lease, an attempt that lost it raises.

        For steps that a phase commits on its own, so that a worker thought dead never
        writes beside the one that took over.
        """
        with transaction.atomic():
            mine = self._mine().select_for_update(of=("self",))
            if not mine.values_list("pk", flat=True):
                raise lease_lost(self.batch)
            yield

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Renew the lease from beside: a fetch may say nothing for minutes."""
        done = threading.Event()
        keeper = threading.Thread(target=self._keep, args=(done,), daemon=True)
        keeper.start()
        try:
            yield
        finally:
            done.set()
            keeper.join()

    def _keep(self, done: threading.Event) -> None:
        while not done.wait(_KEEP_SECONDS):
            try:
                self._mine().update(lease_until=timezone.now() + LEASE)
            except DatabaseError as error:
                log.warning("lease not renewed", error=str(error))
            finally:
                connection.close()

    def still_mine(self) -> bool:
        """Say whether this attempt holds the batch and the job still runs."""
        return bool(self._mine().exists())

    def _mine(self) -> Any:
        return Batch.objects.filter(
            pk=self.batch.pk,
            state=BatchState.RUNNING,
            attempts=self.batch.attempts,
            job__state="running",
        )


def lease_lost(batch: Batch) -> Conflict:
    """Return the error of a worker that is no longer wanted on a batch."""
    return Conflict(
        f"Batch {batch.pk} went to another worker or its job was cancelled; "
        "this attempt stops without writing."
    )
