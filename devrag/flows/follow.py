"""Wait for a job at a terminal: visible progress, never a silent minute."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from devrag.core.errors import DevragError, ServiceError
from devrag.core.text import one_line
from devrag.flows.health import worker_hint
from devrag.jobs.models import Job, JobEvent, JobState
from devrag.jobs.progress import describe_progress
from devrag.jobs.selectors import get_waiting
from devrag.jobs.wording import describe_phase, describe_waiting

_POLL_SECONDS = 0.3
_PATIENCE_SECONDS = 15.0
_SPEAK_SECONDS = 5.0


@dataclass
class Follower:
    """Prints what changed: on a terminal in place, else as lines."""

    write: Callable[[str], object] = field(default=sys.stderr.write)
    is_terminal: bool = field(default_factory=sys.stderr.isatty)
    _line: str = ""
    _step: str = ""
    _spoke_at: float = 0.0
    _last_event: int = 0

    def wait(self, job: Job) -> Job:
        """Return the job when it has ended; raises its error when it failed."""
        began = time.monotonic()
        while True:
            job.refresh_from_db()
            self._show(job, time.monotonic() - began)
            if not job.is_open:
                break
            if job.state == JobState.PENDING:
                _check_patience(time.monotonic() - began)
            time.sleep(_POLL_SECONDS)
        self._end_line()
        if job.state == JobState.SKIPPED and job.superseded_by is not None:
            return self.wait(job.superseded_by)
        if job.state != JobState.COMPLETED:
            raise DevragError(job.error or f"The {job.kind} job was {job.state}.")
        return job

    def _show(self, job: Job, seconds: float) -> None:
        self._show_events(job)
        step, line = _describe(job)
        if self.is_terminal:
            width = shutil.get_terminal_size().columns - len(f"  {seconds:.0f} s") - 1
            self.write(f"\r\x1b[2K{line[:width]}  {seconds:.0f} s")
            self._line = line
            return
        # A new phase speaks at once, progress within it every few seconds.
        is_new = step != self._step
        if is_new or (line != self._line and _is_due(self._spoke_at)):
            self.write(f"{line}  {seconds:.0f} s\n")
            self._spoke_at = time.monotonic()
            self._step, self._line = step, line

    def _show_events(self, job: Job) -> None:
        events = JobEvent.objects.filter(job=job, pk__gt=self._last_event)
        for event in events.exclude(level=JobEvent.Level.ERROR)[:20]:
            self._last_event = event.pk
            mark = "!" if event.level == JobEvent.Level.WARNING else "·"
            self._end_line()
            self.write(f"  {mark} {one_line(event.message)}\n")

    def _end_line(self) -> None:
        if self.is_terminal and self._line:
            self.write("\r\x1b[2K")


def _is_due(spoke_at: float) -> bool:
    return time.monotonic() - spoke_at > _SPEAK_SECONDS


def _check_patience(seconds: float) -> None:
    if seconds > _PATIENCE_SECONDS and (hint := worker_hint()):
        raise ServiceError(f"The job waits and nobody takes it. {hint}")


def _describe(job: Job) -> tuple[str, str]:
    """Return the step a job is at, and the whole line."""
    name = job.source_name or (job.product.name if job.product else "")
    begin = f"{job.kind} {name}: "
    if waiting := get_waiting(job):
        return job.state, begin + describe_waiting(job, waiting)
    phase = describe_progress(job).current
    if phase is None:
        return job.state, begin + job.state
    said = [phase.name, describe_phase(phase), phase.note]
    return phase.name, begin + "  ".join(filter(None, said))
