"""Progress in words, the same on the page, at the terminal and in the command."""

from __future__ import annotations

from typing import Any

from devrag.jobs.models import Job
from devrag.jobs.progress import PhaseProgress
from devrag.jobs.selectors import Waiting

_MINUTE, _HOUR = 60, 3600
_COUNTS = {
    "added": "Files added",
    "modified": "Files modified",
    "removed": "Files removed",
    "unchanged": "Files unchanged",
    "lines": "Lines",
    "chunks": "Chunks",
    "warnings": "Warnings",
    "embedded": "Texts embedded",
    "reused": "Vectors reused",
    "pages": "Pages",
}
_VECTOR_COUNTS = {
    "embedded": "Texts embedded",
    "saved": "Embedding calls saved",
}
_REASONS = {"leftOut": "Left out", "asWindows": "As plain windows"}
_PATHS_SHOWN = 5


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


def describe_report(job: Job) -> tuple[tuple[str, str], ...]:
    """Return the report's counts as (label, text), then what was left out and why."""
    report = job.report
    vectors = _mapping(report.get("embedding"))
    found = [(label, report.get(key)) for key, label in _COUNTS.items()]
    found += [(label, vectors.get(key)) for key, label in _VECTOR_COUNTS.items()]
    counts = [(label, f"{count:,}") for label, count in found if type(count) is int]
    paths = _mapping(report.get("leftOutPaths"))
    reasons = [
        (f"{label}: {reason}", f"{count:,}{_named(paths.get(reason))}")
        for key, label in _REASONS.items()
        for reason, count in _mapping(report.get(key)).items()
    ]
    return (*counts, *reasons)


def _named(paths: list[str] | None) -> str:
    if not paths:
        return ""
    more = ", …" if len(paths) > _PATHS_SHOWN else ""
    return f" ({', '.join(paths[:_PATHS_SHOWN])}{more})"


def _mapping(value: object) -> dict[str, Any]:
    """Return a part of a report; the wiki's has a list under the same name."""
    return value if isinstance(value, dict) else {}
