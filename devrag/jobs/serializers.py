"""What is told of a job to machines: by commands and by REST alike."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from devrag.core.text import iso_time
from devrag.jobs.models import Job, JobEvent
from devrag.jobs.progress import PhaseProgress, describe_progress
from devrag.jobs.selectors import Waiting, get_waiting


def line_of(job: Job) -> dict[str, Any]:
    """Return a job under the names that REST and commands use."""
    return {
        "jobID": str(job.pk),
        "jobType": job.kind,
        "status": job.state,
        "productName": job.product.name if job.product else None,
        "sourceName": job.source_name,
        "createdAt": iso_time(job.created_at),
        "startedAt": _time(job.started_at),
        "finishedAt": _time(job.finished_at),
        "error": job.error,
        "supersededBy": job.superseded_by_id and str(job.superseded_by_id),
    }


def details_of(job: Job) -> dict[str, Any]:
    """Return a job with its progress and, at its end, its report. Queries: 1 to 3."""
    progress, waiting = describe_progress(job), get_waiting(job)
    return {
        **line_of(job),
        "report": job.report,
        "percent": progress.percent,
        "secondsLeft": progress.seconds_left,
        "phases": list(map(phase_of, progress.phases)),
        "waiting": waiting and waiting_of(waiting),
    }


def event_of(event: JobEvent) -> dict[str, str]:
    """Return a line of a job's log."""
    return {
        "at": iso_time(event.at),
        "level": event.level,
        "message": event.message,
    }


def waiting_of(waiting: Waiting) -> dict[str, Any]:
    """Return what a pending job waits for."""
    behind = waiting.behind and str(waiting.behind)
    return {"jobsAhead": waiting.ahead, "behindJobID": behind}


def phase_of(phase: PhaseProgress) -> dict[str, Any]:
    """Return how far a phase is."""
    return {
        "name": phase.name,
        "status": phase.state,
        "done": phase.done,
        "total": phase.total,
        "unit": phase.unit,
        "seconds": phase.seconds,
        "rate": phase.rate,
        "secondsLeft": phase.seconds_left,
        "current": phase.note,
    }


def _time(at: datetime | None) -> str | None:
    return iso_time(at) if at else None
