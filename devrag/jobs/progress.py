"""How far a job is, summed from its batches: no counter row to fight over."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Min, Q, Sum
from django.utils import timezone
from django.utils.translation import gettext

from devrag.jobs.models import BatchState, Job, JobState
from devrag.jobs.scheduling import QueueLoad, queue_load
from devrag.jobs.workflow import Phase, get_workflow

# A rate is what was done lately: a pause or a slow start must not spoil the forecast.
_LATELY = timedelta(seconds=60)
# Rates of shorter work are computed as if it had taken so long.
_SHORTEST_SECONDS = 1.0
# Less measured work than this promises no time: better no number than a wrong one.
_LEAST_MEASURED_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class PhaseProgress:
    """One phase. state: waiting, running, done, or stopped where its job ended.

    unit: what is counted. seconds: None before it began. rate: units a second while
    its batches are at work, and seconds_left: only in its turn and if enough is known.
    is_measured: whether the rate comes from enough work to promise a time.
    turns: how many jobs take turns at a worker. note: what is at work now.
    is_waiting: nothing is, since the job is held or others have their turn.
    """

    name: str
    state: str
    done: int
    total: int
    seconds: float | None
    unit: str = ""
    rate: float | None = None
    turns: float = 1.0
    note: str = ""
    is_waiting: bool = False
    is_measured: bool = True

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 0

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the end, as long as as many jobs take turns as now."""
        if not (self.rate and self.is_measured):
            return None
        return (self.total - self.done) / self.rate * self.turns


@dataclass(frozen=True, slots=True)
class Progress:
    """All phases of a job in order.

    seconds_left: of all of them, None if not known; where it is, no phase has a rate.
    """

    job: Job
    phases: tuple[PhaseProgress, ...]
    seconds_left: float | None = None

    @property
    def percent(self) -> int:
        """Share of the job that is done: of its phases that count something, alike."""
        counted = [p for p in self.phases if p.unit] or list(self.phases)
        if not counted:
            return 0
        shares = [100 if p.state == "done" else p.percent for p in counted]
        return sum(shares) // len(shares)

    @property
    def current(self) -> PhaseProgress | None:
        return next((p for p in self.phases if p.state in {"running", "stopped"}), None)


def describe_progress(job: Job) -> Progress:
    """Return the progress of a job. Queries: 1, and up to 7 while it runs."""
    now = timezone.now()
    lately = Q(state=BatchState.DONE, finished_at__gt=now - _LATELY)
    running = Q(state=BatchState.RUNNING)
    sums = {
        row["phase"]: row
        for row in job.batches.order_by()
        .values("phase")
        .annotate(
            total=Sum("units"),
            done=Sum("done_units"),
            begun=Min("started_at"),
            ended=Max("finished_at"),
            queue=Max("queue"),
            recent=Count("pk", filter=lately),
            told_rate=Sum("rate", filter=running),
            at_work=Max("note", filter=running),
            running=Count("pk", filter=running),
        )
    }
    progress = Progress(
        job=job,
        phases=tuple(
            _describe_phase(job, position, phase, sums.get(position), now)
            for position, phase in enumerate(get_workflow(job.kind).phases)
        ),
    )
    left = _seconds_left(progress)
    if left is None:
        return progress
    # Two forecasts, each measured in its own way, would contradict each other.
    phases = tuple(replace(phase, rate=None) for phase in progress.phases)
    return replace(progress, phases=phases, seconds_left=left)


def _seconds_left(progress: Progress) -> float | None:
    current = progress.current
    is_running = progress.job.state == JobState.RUNNING
    if current is None or current.is_waiting or not is_running:
        return None
    seconds = get_workflow(progress.job.kind).seconds_left(progress.job)
    return seconds and seconds * current.turns


def _describe_phase(
    job: Job,
    position: int,
    phase: Phase,
    row: Mapping[str, Any] | None,
    now: datetime,
) -> PhaseProgress:
    state = _state(job, position)
    if row is None:
        return PhaseProgress(phase.name, state, 0, 0, None, phase.unit)
    is_running = state == "running" and job.state == JobState.RUNNING
    begun, ended = row["begun"], now if is_running else row["ended"]
    progress = PhaseProgress(
        name=phase.name,
        state=state,
        done=row["done"],
        total=row["total"],
        seconds=(ended - begun).total_seconds() if begun and ended else None,
        unit=phase.unit,
    )
    return _at_work(progress, job, phase, row, now) if is_running else progress


def _at_work(
    progress: PhaseProgress,
    job: Job,
    phase: Phase,
    row: Mapping[str, Any],
    now: datetime,
) -> PhaseProgress:
    """Add what is at work now; where nothing is, whether it is held or in line."""
    if held := _held(job, phase, row):
        return replace(progress, note=held, is_waiting=True)
    load = QueueLoad(1, row["running"])
    if progress.done < progress.total:
        load = queue_load(row["queue"], since=now - _LATELY)
    if load.running and not row["running"]:
        note = gettext("waiting for its turn")
        return replace(progress, note=note, is_waiting=True)
    rate, seconds = _rate(job, row, now)
    return replace(
        progress,
        rate=rate,
        is_measured=row["told_rate"] is not None or seconds >= _LEAST_MEASURED_SECONDS,
        turns=max(1.0, load.jobs / max(1, load.running)),
        note=row["at_work"] or "",
    )


def _held(job: Job, phase: Phase, row: Mapping[str, Any]) -> str:
    seconds = 0.0 if row["running"] else phase.wait(job)
    if math.isinf(seconds):
        return gettext("paused")
    if seconds:
        return gettext("on hold for at least %(seconds)s s") % {
            "seconds": math.ceil(seconds)
        }
    return ""


def _state(job: Job, position: int) -> str:
    if position < job.phase:
        return "done"
    if position > job.phase:
        return "waiting"
    return "running" if job.is_open else "stopped"


def _rate(
    job: Job, row: Mapping[str, Any], now: datetime
) -> tuple[float | None, float]:
    """Return units a second of the batches done lately, and of running ones so far.

    Only the seconds count in which one of them was at work: not those in which other
    jobs had their turn. Beside it, how many seconds the batches done lately took.
    """
    rate, seconds = float(row["told_rate"] or 0), 0.0
    if row["recent"]:
        recent = job.batches.filter(
            phase=row["phase"], state=BatchState.DONE, finished_at__gt=now - _LATELY
        )
        rows = recent.values_list("started_at", "finished_at", "units")
        spans = [(a, b, n) for a, b, n in rows if a and b]
        units, seconds = _add_up(spans)
        rate += units / max(_SHORTEST_SECONDS, seconds)
    return rate or None, seconds


def units_per_second(spans: Iterable[tuple[datetime, datetime, int]]) -> float:
    """Return the rate of batches (start, end, units); overlapping time counts once."""
    units, seconds = _add_up(spans)
    return units / max(_SHORTEST_SECONDS, seconds)


def _add_up(spans: Iterable[tuple[datetime, datetime, int]]) -> tuple[int, float]:
    """Return units and seconds of batches; overlapping time counts once."""
    units, seconds, until = 0, 0.0, None
    for start, end, count in sorted(spans):
        begun = start if until is None else max(start, until)
        seconds += max(0.0, (end - begun).total_seconds())
        until = end if until is None else max(end, until)
        units += count
    return units, seconds
