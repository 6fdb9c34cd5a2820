"""How much work waits, by queue, and what failed last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q

from devrag.core.principal import Principal
from devrag.jobs.models import OPEN_STATES, Batch, BatchState, Job, JobState
from devrag.jobs.selectors import list_jobs


@dataclass(frozen=True, slots=True)
class QueueDepth:
    """A queue: pieces that wait, pieces at work, and since when the oldest is there."""

    name: str
    waiting: int
    running: int
    since: datetime | None


def measure_queues() -> Sequence[QueueDepth]:
    """Return every queue that has work, by name. Queries: 1."""
    rows = (
        Batch.objects.filter(job__state__in=OPEN_STATES)
        .filter(state__in=[BatchState.OPEN, BatchState.RUNNING])
        .order_by("queue")
        .values("queue")
        .annotate(
            waiting=Count("pk", filter=Q(state=BatchState.OPEN)),
            running=Count("pk", filter=Q(state=BatchState.RUNNING)),
            since=Min("job__created_at"),
        )
    )
    return [
        QueueDepth(row["queue"], row["waiting"], row["running"], row["since"])
        for row in rows
    ]


def count_open_jobs() -> tuple[int, int]:
    """Return how many jobs run and how many wait to start. Queries: 1."""
    counted = Job.objects.filter(state__in=OPEN_STATES).aggregate(
        running=Count("pk", filter=Q(state=JobState.RUNNING)),
        pending=Count("pk", filter=Q(state=JobState.PENDING)),
    )
    return counted["running"], counted["pending"]


def oldest_open_job() -> datetime | None:
    """Return since when the oldest job runs or waits. Queries: 1."""
    rows = Job.objects.filter(state__in=OPEN_STATES)
    found: datetime | None = rows.aggregate(oldest=Min("created_at"))["oldest"]
    return found


def last_failures(principal: Principal, *, limit: int) -> Sequence[Job]:
    """Return the visible jobs that failed last. Queries: 1."""
    failed = list_jobs(principal).filter(state=JobState.FAILED)
    return list(failed.order_by("-finished_at")[:limit])
