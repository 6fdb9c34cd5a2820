"""Lines of a job's log, bounded: a bad repository must not fill the table."""

from __future__ import annotations

from typing import Any

from devrag.core.texts import as_stored, gettext, gettext_noop, in_english
from devrag.jobs.models import Job, JobEvent

MAX_EVENTS = 1000
_FULL = gettext_noop("The log is full. Further entries are only counted in the report.")


def add_event(job: Job, message: str, *, level: str = "info", **data: Any) -> None:
    """Add a line; the error that ends a job is always told.

    It is stored in English, and what a `Text` is made of too, for other languages.
    """
    events = JobEvent.objects.filter(job=job)
    if level != JobEvent.Level.ERROR and events.count() >= MAX_EVENTS:
        if events.filter(message=_FULL).exists():
            return
        level, message, data = JobEvent.Level.WARNING, gettext(_FULL), {}
    line = make_event(job, message, level=level, **data)
    line.save()


def make_event(job: Job, message: str, *, level: str = "info", **data: Any) -> JobEvent:
    """Return a line that is not saved yet."""
    if stored := as_stored(message):
        data |= {"said": stored}
    return JobEvent(job=job, level=level, message=in_english(message), data=data)
