"""How far a job is, summed from its batches: no counter row to fight over."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Max, Min, Sum

from devrag.jobs.models import Job
from devrag.jobs.workflow import get_workflow


@dataclass(frozen=True, slots=True)
class PhaseProgress:
    """One phase. state: waiting, running, done, or stopped where its job ended.

    seconds: None before it began.
    """

    name: str
    state: str
    done: int
    total: int
    seconds: float | None

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 0


@dataclass(frozen=True, slots=True)
class Progress:
    """All phases of a job in order."""

    job: Job
    phases: tuple[PhaseProgress, ...]

    @property
    def percent(self) -> int:
        """Share of the job that is done, phases counted alike."""
        if not self.phases:
            return 0
        shares = [100 if p.state == "done" else p.percent for p in self.phases]
        return sum(shares) // len(shares)

    @property
    def current(self) -> PhaseProgress | None:
        return next((p for p in self.phases if p.state in {"running", "stopped"}), None)


def describe_progress(job: Job) -> Progress:
    """Return the progress of a job: one query."""
    sums = {
        row["phase"]: row
        for row in job.batches.order_by()
        .values("phase")
        .annotate(
            total=Sum("units"),
            done=Sum("done_units"),
            begun=Min("started_at"),
            ended=Max("finished_at"),
        )
    }
    phases = []
    for position, phase in enumerate(get_workflow(job.kind).phases):
        row = sums.get(position)
        begun, ended = (row["begun"], row["ended"]) if row else (None, None)
        phases.append(
            PhaseProgress(
                name=phase.name,
                state=_state(job, position),
                done=row["done"] if row else 0,
                total=row["total"] if row else 0,
                seconds=(ended - begun).total_seconds() if begun and ended else None,
            )
        )
    return Progress(job=job, phases=tuple(phases))


def _state(job: Job, position: int) -> str:
    if position < job.phase:
        return "done"
    if position > job.phase:
        return "waiting"
    return "running" if job.is_open else "stopped"
