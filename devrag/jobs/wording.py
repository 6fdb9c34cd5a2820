"""Jobs in words, in the language of whoever looks at the page."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext

from devrag.core.texts import translate_stored
from devrag.jobs.models import Job, JobEvent
from devrag.jobs.progress import PhaseProgress, Progress
from devrag.jobs.reports import report_lines
from devrag.jobs.selectors import Waiting
from devrag.jobs.sentences import (
    duration_words,
    job_time_words,
    phase_words,
    waiting_words,
)
from devrag.jobs.serializers import line_of, phase_of, waiting_of


def describe_phase(phase: PhaseProgress) -> str:
    """Return `40 of 400 files, 85 files/s, 4 s left`, as far as it is known."""
    return phase_words(phase_of(phase), gettext)


def describe_time_left(progress: Progress) -> str:
    """Return `about 12 min left in total`, '' where it is not known."""
    return job_time_words(progress.seconds_left, gettext)


def describe_seconds(seconds: float) -> str:
    """Return `8 s`, `3 min` or `1 h 20 min`."""
    return duration_words(seconds, gettext)


def describe_waiting(job: Job, waiting: Waiting) -> str:
    """Say what a pending job waits for."""
    return waiting_words(line_of(job), waiting_of(waiting), gettext, ngettext)


def describe_error(job: Job) -> str:
    """Return why a job failed, in the reader's language where its parts are known."""
    return translate_stored(job.error_text) or job.error


def describe_event(event: JobEvent) -> str:
    """Return a line of a job's log, in the reader's language where that is known."""
    return translate_stored(event.data.get("said", {})) or event.message


def describe_report(job: Job) -> tuple[tuple[str, str], ...]:
    """Return the report's counts as (label, text), then what was left out and why."""
    return report_lines(job.report, gettext)
