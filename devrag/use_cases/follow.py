"""Wait for a job at a terminal: visible progress, never a silent minute."""

from __future__ import annotations

import time

from devrag.core.errors import DevragError, ServiceError
from devrag.core.progress_line import ProgressLine
from devrag.core.text import one_line
from devrag.jobs.api import details_of, worker_hint
from devrag.jobs.models import Job, JobEvent, JobState
from devrag.jobs.sentences import describe_job

_POLL_SECONDS = 0.3
_PATIENCE_SECONDS = 15.0


class Follower:
    """Waits for jobs one after the other and tells what they do."""

    def __init__(self, progress: ProgressLine | None = None) -> None:
        self._progress = progress or ProgressLine()
        self._last_event = 0

    def wait(self, job: Job) -> Job:
        """Return the job when it has ended; raises its error when it failed."""
        began = time.monotonic()
        while True:
            # With its product, which may go between two questions.
            job.refresh_from_db(from_queryset=Job.objects.select_related("product"))
            self._show(job, time.monotonic() - began)
            if not job.is_open:
                break
            if job.state == JobState.PENDING:
                _check_patience(time.monotonic() - began)
            time.sleep(_POLL_SECONDS)
        self._progress.end()
        if job.state == JobState.SKIPPED and job.superseded_by is not None:
            return self.wait(job.superseded_by)
        if job.state != JobState.COMPLETED:
            raise DevragError(job.error or f"The {job.kind} job was {job.state}.")
        return job

    def _show(self, job: Job, seconds: float) -> None:
        self._show_events(job)
        step, line = describe_job(details_of(job))
        self._progress.show(step, line, seconds)

    def _show_events(self, job: Job) -> None:
        events = JobEvent.objects.filter(job=job, pk__gt=self._last_event)
        for event in events.exclude(level=JobEvent.Level.ERROR)[:20]:
            self._last_event = event.pk
            mark = "!" if event.level == JobEvent.Level.WARNING else "·"
            self._progress.say(f"  {mark} {one_line(event.message)}")


def _check_patience(seconds: float) -> None:
    if seconds > _PATIENCE_SECONDS and (hint := worker_hint()):
        raise ServiceError(f"The job waits and nobody takes it. {hint}")
