"""One batch being worked on: the handle that phase functions get."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import structlog
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from devrag.core.errors import Conflict
from devrag.core.texts import gettext
from devrag.core.watchdog import prolong
from devrag.jobs.events import add_event
from devrag.jobs.models import Batch, BatchState, Job, JobState

log = structlog.get_logger("devrag.jobs")
LEASE = timedelta(seconds=120)
_KEEP_SECONDS = 20.0
_LOOK_SECONDS = 1.0
_RENEW_SECONDS = 2.0
_HOLD_JOB = "SELECT 1 FROM jobs_job WHERE id = %s AND state = %s FOR SHARE"
# No batch writes for longer; PostgreSQL does not look while a COPY waits for data, but
# keepalives (settings/services.py) end the connections of machines that vanished.
TRANSACTION_SECONDS = 200
_LIMIT_TRANSACTION = "SELECT set_config('transaction_timeout', %s, true)"


@dataclass
class BatchRun:
    """A claimed batch. Its attempt number is the fencing token of the lease."""

    job: Job
    batch: Batch
    _renewed: float = field(default_factory=time.monotonic)
    _done_then: int | None = None
    _is_lost: threading.Event = field(default_factory=threading.Event)

    @property
    def payload(self) -> dict[str, Any]:
        payload: dict[str, Any] = self.batch.payload
        return payload

    def log(self, message: str, *, level: str = "info", **data: Any) -> None:
        """Add a line to the job's log."""
        prolong()
        add_event(self.job, message, level=level, **data)

    def progress(
        self, done_units: int, *, units: int | None = None, note: str = ""
    ) -> None:
        """Record progress and renew the lease, at most every few seconds.

        note: what is at work now, a path for example. Raises Conflict when the lease
        was lost or the job is no longer running.
        """
        now = time.monotonic()
        prolong()
        if now - self._renewed < _RENEW_SECONDS:
            return
        changes: dict[str, Any] = {
            "done_units": done_units,
            "note": note[-Batch.NOTE_LENGTH :],
            "rate": self._rate(done_units, now - self._renewed),
        }
        self._renewed, self._done_then = now, done_units
        if units is not None:
            changes["units"] = units
        if not self._mine().update(**changes, lease_until=timezone.now() + LEASE):
            raise lease_lost(self.batch)

    def _rate(self, done_units: int, seconds: float) -> float | None:
        """Return units a second since the last record; a clone before counts not."""
        if self._done_then is None:
            return None
        return (done_units - self._done_then) / seconds

    @contextmanager
    def fenced(self) -> Iterator[None]:
        """Write within: the row lock keeps the lease, an attempt that lost it raises.

        For steps that a phase commits on its own, so that a worker thought dead never
        writes beside the one that took over. At the end the job's row is held, so that
        after a cancel nothing is committed any more. A long step renews the lease.
        """
        began = time.monotonic()
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(_LIMIT_TRANSACTION, [f"{TRANSACTION_SECONDS}s"])
            mine = self._mine().select_for_update(of=("self",))
            if not mine.values_list("pk", flat=True):
                raise lease_lost(self.batch)
            yield
            if time.monotonic() - began > _KEEP_SECONDS:
                self._mine().update(lease_until=timezone.now() + LEASE)
            with connection.cursor() as cursor:
                cursor.execute(_HOLD_JOB, [self.job.pk, JobState.RUNNING])
                if cursor.fetchone() is None:
                    raise lease_lost(self.batch)

    def checkpoint(self) -> None:
        """Raise Conflict when the lease was lost or the job no longer runs.

        Costs next to nothing and asks no database, so that it fits into inner loops,
        also within a COPY. Within `kept` only, a moment after the fact.
        """
        if self._is_lost.is_set():
            raise lease_lost(self.batch)
        prolong()

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
        renewed = time.monotonic()
        while not done.wait(min(_LOOK_SECONDS, _KEEP_SECONDS)):
            try:
                if self._is_taken_away():
                    self._is_lost.set()
                is_due = time.monotonic() - renewed >= _KEEP_SECONDS
                if is_due and self._renew():
                    renewed = time.monotonic()
            except DatabaseError as error:
                log.warning("lease not renewed", error=str(error))
                connection.close()
        connection.close()

    def _is_taken_away(self) -> bool:
        """Return whether the job was cancelled or another worker has the batch.

        A row that is gone does not count: the end of the step refuses it.
        """
        rows = Batch.objects.filter(pk=self.batch.pk)
        found = rows.values_list("state", "attempts", "job__state").first()
        ours = (BatchState.RUNNING, self.batch.attempts, JobState.RUNNING)
        return found is not None and found != ours

    def _renew(self) -> bool:
        """Renew the lease, but do not wait for a fenced step that holds the row."""
        with transaction.atomic():
            free = self._mine().select_for_update(of=("self",), skip_locked=True)
            if not free.values_list("pk", flat=True):
                return False
            self._mine().update(lease_until=timezone.now() + LEASE)
            return True

    def still_mine(self) -> bool:
        """Return whether this attempt holds the batch and the job still runs."""
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
        gettext(
            "Batch %(batch)s was taken over by another worker or its job "
            "was cancelled. This attempt stops without writing."
        )
        % {"batch": batch.pk}
    )
