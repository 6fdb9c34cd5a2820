"""The state of jobs, from the database, for those that wait at a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from devrag.core.errors import ServiceError
from devrag.core.text import one_line
from devrag.jobs.api import details_of, worker_hint
from devrag.jobs.models import Job, JobEvent
from devrag.use_cases.job_waiter import JobWaiter

_PENDING_SECONDS = 15.0


class DatabaseJobFeed:
    """Jobs of this installation; each line of a log is returned once."""

    def __init__(self) -> None:
        self._last_event = 0

    def get(self, job_id: str) -> dict[str, Any]:
        """Return a job as REST does."""
        return details_of(Job.objects.select_related("product").get(pk=job_id))

    def new_messages(self, job_id: str) -> Iterator[str]:
        """Yield new lines of a job's log; its error is reported at its end."""
        events = JobEvent.objects.filter(job_id=job_id, pk__gt=self._last_event)
        for event in events.exclude(level=JobEvent.Level.ERROR)[:20]:
            self._last_event = event.pk
            mark = "!" if event.level == JobEvent.Level.WARNING else "·"
            yield f"  {mark} {one_line(event.message)}"

    def check_pending(self, seconds: float) -> None:
        """Raise ServiceError after a while without a worker."""
        if seconds > _PENDING_SECONDS and (hint := worker_hint()):
            raise ServiceError(f"The job is waiting, but no worker picks it up. {hint}")


def wait_for_job(job: Job) -> dict[str, Any]:
    """Wait for a job, as JobWaiter does; return it as REST does."""
    return JobWaiter(DatabaseJobFeed()).wait(str(job.pk))
