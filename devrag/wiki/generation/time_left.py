"""How long a run still takes, from how long its pages took.

Before its first page is finished, the run that wrote what readers see tells how long a
page takes; while neither is known, nothing is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from devrag.jobs.models import Batch, BatchState, Job
from devrag.wiki.generation.prepared_run import PreparedRun
from devrag.wiki.models import Version


@dataclass(frozen=True, slots=True)
class PageTime:
    """When a page was at work. end: None while it is. is_reused: it was kept."""

    start: datetime
    end: datetime | None
    is_reused: bool = False


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a page takes, in seconds, and how many were at work at once.

    every: the mean of all, those that were kept as well. written: of the others, None
    without one.
    """

    every: float
    written: float | None
    at_once: float

    def as_json(self) -> dict[str, float | None]:
        return {"every": self.every, "written": self.written, "atOnce": self.at_once}


def measure_pace(pages: Sequence[PageTime], now: datetime) -> Pace | None:
    """Return how fast pages are finished, None before the first."""
    done = [page for page in pages if page.end]
    if not done:
        return None
    written = [page for page in done if not page.is_reused]
    spent = sum(_seconds(page, now) for page in pages)
    busy = _busy_seconds(pages, now)
    return Pace(
        every=_mean(done, now),
        written=_mean(written, now) if written else None,
        at_once=max(1.0, spent / busy) if busy else 1.0,
    )


def seconds_for(
    remaining: int, page_seconds: float, at_once: float, at_work: Sequence[float]
) -> float:
    """Return how long the remaining pages take.

    at_work: for how many seconds those that began are at work; they are among the
    remaining ones. What takes longer than others is as good as finished.
    """
    spent = sum(min(seconds, page_seconds) for seconds in at_work)
    work = remaining * page_seconds - spent
    return max(0.0, work) / max(1.0, min(at_once, remaining))


def seconds_left(job: Job) -> float | None:
    """Return how long a run still takes, None while that is not known. Queries: 3."""
    planned = Batch.objects.filter(job=job, phase=0, state=BatchState.DONE).first()
    if planned is None:
        return None
    prepared = PreparedRun.from_json(planned.result)
    pages, now = page_times(job), timezone.now()
    total = len(prepared.pages) * (1 + len(prepared.author.others))
    at_work = [_seconds(page, now) for page in pages if page.end is None]
    remaining = total - (len(pages) - len(at_work))
    if remaining <= 0:
        return None  # what is left is to publish them
    pace = measure_pace(pages, now)
    if pace is not None:
        return seconds_for(remaining, pace.every, pace.at_once, at_work)
    former = _former_pace(prepared)
    key = "written" if job.params.get("isForced") else "every"
    seconds, at_once = former.get(key), former.get("atOnce")
    if seconds is None or at_once is None:
        return None
    return seconds_for(remaining, seconds, at_once, at_work)


def page_times(job: Job) -> list[PageTime]:
    """Return when the run's pages were at work, those that began. Queries: 1."""
    begun = Batch.objects.filter(
        job=job,
        payload__has_key="path",
        started_at__isnull=False,
        state__in=[BatchState.RUNNING, BatchState.DONE],
    )
    rows = begun.values_list("started_at", "finished_at", "result", "state")
    return [
        PageTime(
            start,
            end if state == BatchState.DONE else None,
            bool((result or {}).get("isReused")),
        )
        for start, end, result, state in rows
        if start
    ]


def _former_pace(prepared: PreparedRun) -> Mapping[str, float | None]:
    """Return the pace of the run that wrote what readers see, if it wrote alike."""
    if prepared.previous is None:
        return {}
    version = Version.objects.filter(pk=prepared.previous).first()
    if version is None or version.writer != prepared.author.name:
        return {}
    return version.report.get("pace") or {}


def _seconds(page: PageTime, now: datetime) -> float:
    return max(0.0, ((page.end or now) - page.start).total_seconds())


def _mean(pages: Sequence[PageTime], now: datetime) -> float:
    return sum(_seconds(page, now) for page in pages) / len(pages)


def _busy_seconds(pages: Sequence[PageTime], now: datetime) -> float:
    """Return the seconds in which a page was at work; overlaps count once."""
    seconds, until = 0.0, None
    for page in sorted(pages, key=lambda page: page.start):
        begun = page.start if until is None else max(page.start, until)
        end = page.end or now
        seconds += max(0.0, (end - begun).total_seconds())
        until = end if until is None else max(end, until)
    return seconds
