"""Jobs that stand still although nothing keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from devrag.jobs.api import advance_job, release_lost_batches, start_job
from devrag.jobs.models import Batch, BatchState, Job, JobState
from devrag.operations.consistency_checks.types import Check
from devrag.use_cases.deletion import unused_rows

# What the tick mends by itself within seconds is no disagreement yet.
_GRACE = timedelta(seconds=60)
_UNFINISHED = (BatchState.OPEN, BatchState.RUNNING)


def find_lost_leases() -> Sequence[Batch]:
    """Return batches whose worker did not renew its lease."""
    late = timezone.now() - _GRACE
    running = Batch.objects.filter(
        state=BatchState.RUNNING, job__state=JobState.RUNNING
    )
    return list(running.filter(Q(lease_until=None) | Q(lease_until__lt=late)))


def release(_batches: Sequence[Batch]) -> None:
    """Give lost batches to other workers."""
    release_lost_batches()


def find_stuck() -> Sequence[Job]:
    """Return running jobs that have nothing left to do and do not go on."""
    waiting = Batch.objects.filter(job=OuterRef("pk"), state__in=_UNFINISHED)
    recent = Batch.objects.filter(
        job=OuterRef("pk"), finished_at__gt=timezone.now() - _GRACE
    )
    return list(
        Job.objects.filter(
            ~Exists(waiting),
            ~Exists(recent),
            state=JobState.RUNNING,
            started_at__lt=timezone.now() - _GRACE,
        )
    )


def go_on(jobs: Sequence[Job]) -> None:
    """Let jobs enter their next phase, or end."""
    for job in jobs:
        advance_job(job.pk)


def find_forgotten() -> Sequence[Job]:
    """Return waiting jobs of lanes in which nothing runs."""
    running = Job.objects.filter(lane=OuterRef("lane"), state=JobState.RUNNING)
    return list(
        Job.objects.filter(
            ~Exists(running),
            state=JobState.PENDING,
            created_at__lt=timezone.now() - _GRACE,
        )
    )


def start(jobs: Sequence[Job]) -> None:
    """Start jobs that nobody woke."""
    for job in jobs:
        start_job(job.pk)


@dataclass(frozen=True, slots=True)
class Leftover:
    """Rows that an ended run needed for itself. what: changes or pages."""

    run: UUID
    what: str
    count: int

    def __str__(self) -> str:
        return f"{self.count:,} {self.what} of run {str(self.run)[:8]}"


def find_leftovers() -> Sequence[Leftover]:
    """Return what runs left that ended a while ago, or whose job is gone."""
    recent = Job.objects.filter(finished_at__gt=timezone.now() - _GRACE)
    left = (
        ("staged changes", unused_rows.stale_changes()),
        ("wiki drafts", unused_rows.stale_drafts()),
    )
    return [
        Leftover(run, what, count)
        for what, rows in left
        for run, count in rows.exclude(run__in=recent.values("pk"))
        .order_by("run")
        .values_list("run")
        .annotate(n=Count("pk"))
    ]


def delete_leftovers(_left: Sequence[Leftover]) -> None:
    """Delete what ended runs left, as housekeeping would within the hour."""
    for rows in (unused_rows.stale_changes(), unused_rows.stale_drafts()):
        for _count in unused_rows.delete_rows(rows):
            pass


CHECKS = (
    Check(
        "batches without a worker",
        "are assigned to another worker",
        find_lost_leases,
        release,
    ),
    Check("stalled jobs", "are resumed", find_stuck, go_on),
    Check("jobs that were never started", "are started", find_forgotten, start),
    Check(
        "leftovers of finished runs",
        "are deleted (housekeeping also does this within an hour)",
        find_leftovers,
        delete_leftovers,
    ),
)
