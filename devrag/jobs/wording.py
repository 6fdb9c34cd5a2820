"""Progress in words, the same on the page, at the terminal and in the command."""

from __future__ import annotations

from devrag.jobs.models import Job
from devrag.jobs.progress import PhaseProgress
from devrag.jobs.selectors import Waiting

_MINUTE, _HOUR = 60, 3600


def describe_phase(phase: PhaseProgress) -> str:
    """Return `40 of 400 files, 85 files/s, 4 s left`, as far as it is known."""
    if phase.total <= 1:
        return ""
    said = [f"{phase.done} of {phase.total} {phase.unit}".rstrip()]
    if phase.rate is not None and phase.unit:
        digits = 0 if phase.rate >= 10 else 1
        said.append(f"{phase.rate:.{digits}f} {phase.unit}/s")
    if phase.seconds_left is not None:
        said.append(f"{describe_seconds(phase.seconds_left)} left")
    return ", ".join(said)


def describe_seconds(seconds: float) -> str:
    """Return `8 s`, `3 min` or `1 h 20 min`."""
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    if seconds < _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    hours, rest = divmod(seconds, _HOUR)
    return f"{hours:.0f} h {rest // _MINUTE:.0f} min"


def describe_waiting(job: Job, waiting: Waiting) -> str:
    """Say what a pending job waits for."""
    if waiting.behind is not None:
        subject = job.source_name or (job.product.name if job.product else "it")
        return f"Waiting: another {job.kind} job of {subject} runs, then it is next."
    if waiting.ahead:
        jobs = "job is" if waiting.ahead == 1 else "jobs are"
        return f"Waiting for a free worker; {waiting.ahead} {jobs} ahead."
    return "Waiting for a free worker; it is next."
