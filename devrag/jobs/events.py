"""Lines of a job's log, bounded: a bad repository must not fill the table."""

from __future__ import annotations

from typing import Any

from devrag.jobs.models import Job, JobEvent

MAX_EVENTS = 1000
_FULL = "The log is full. Further entries are only counted in the report."


def add_event(job: Job, message: str, *, level: str = "info", **data: Any) -> None:
    """Add a line; the error that ends a job is always told."""
    events = JobEvent.objects.filter(job=job)
    if level != JobEvent.Level.ERROR and events.count() >= MAX_EVENTS:
        if events.filter(message=_FULL).exists():
            return
        level, message, data = JobEvent.Level.WARNING, _FULL, {}
    JobEvent.objects.create(job=job, level=level, message=message, data=data)
