"""Progress in words, the same on the page, at the terminal and in the command."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext

from devrag.jobs.models import Job
from devrag.jobs.progress import PhaseProgress
from devrag.jobs.selectors import Waiting

_MINUTE, _HOUR = 60, 3600
_COUNTS = {
    "added": gettext_noop("Files added"),
    "modified": gettext_noop("Files modified"),
    "removed": gettext_noop("Files removed"),
    "unchanged": gettext_noop("Files unchanged"),
    "lines": gettext_noop("Lines"),
    "chunks": gettext_noop("Chunks"),
    "warnings": gettext_noop("Warnings"),
    "embedded": gettext_noop("Texts embedded"),
    "reused": gettext_noop("Vectors reused"),
    "pages": gettext_noop("Pages"),
}
_VECTOR_COUNTS = {
    "embedded": gettext_noop("Texts embedded"),
    "saved": gettext_noop("Embedding calls saved"),
}
_REASONS = {
    "leftOut": gettext_noop("Left out"),
    "asWindows": gettext_noop("As plain windows"),
}
_PATHS_SHOWN = 5


def describe_phase(phase: PhaseProgress) -> str:
    """Return `40 of 400 files, 85 files/s, 4 s left`, as far as it is known."""
    if phase.total <= 1:
        return ""
    unit = gettext(phase.unit) if phase.unit else ""
    counts = {"done": f"{phase.done:,}", "total": f"{phase.total:,}", "unit": unit}
    said = [(gettext("%(done)s of %(total)s %(unit)s") % counts).rstrip()]
    if phase.rate is not None and phase.unit:
        digits = 0 if phase.rate >= 10 else 1
        said.append(f"{phase.rate:.{digits}f} {unit}/s")
    if phase.seconds_left is not None:
        left = describe_seconds(phase.seconds_left)
        said.append(gettext("%(time)s left") % {"time": left})
    return ", ".join(said)


def describe_seconds(seconds: float) -> str:
    """Return `8 s`, `3 min` or `1 h 20 min`."""
    if seconds < _MINUTE:
        return gettext("%(seconds)s s") % {"seconds": round(seconds)}
    if seconds < _HOUR:
        return gettext("%(minutes)s min") % {"minutes": round(seconds / _MINUTE)}
    hours, rest = divmod(seconds, _HOUR)
    parts = {"hours": int(hours), "minutes": int(rest // _MINUTE)}
    return gettext("%(hours)s h %(minutes)s min") % parts


def describe_waiting(job: Job, waiting: Waiting) -> str:
    """Say what a pending job waits for."""
    if waiting.behind is not None:
        product = job.product.name if job.product else gettext("it")
        return gettext(
            "Waiting: another %(kind)s job of %(subject)s runs, then it is next."
        ) % {"kind": job.kind, "subject": job.source_name or product}
    if waiting.ahead:
        return ngettext(
            "Waiting for a free worker; %(number)s job is ahead.",
            "Waiting for a free worker; %(number)s jobs are ahead.",
            waiting.ahead,
        ) % {"number": waiting.ahead}
    return gettext("Waiting for a free worker; it is next.")


def describe_report(job: Job) -> tuple[tuple[str, str], ...]:
    """Return the report's counts as (label, text), then what was left out and why."""
    report = job.report
    vectors = _mapping(report.get("embedding"))
    found = [(label, report.get(key)) for key, label in _COUNTS.items()]
    found += [(label, vectors.get(key)) for key, label in _VECTOR_COUNTS.items()]
    counts = [
        (gettext(label), f"{count:,}") for label, count in found if type(count) is int
    ]
    paths = _mapping(report.get("leftOutPaths"))
    reasons = [
        (_reason(label, reason), f"{count:,}{_named(paths.get(reason))}")
        for key, label in _REASONS.items()
        for reason, count in _mapping(report.get(key)).items()
    ]
    return (*counts, *reasons)


def _reason(label: str, reason: str) -> str:
    said = {"label": gettext(label), "reason": gettext(reason)}
    return gettext("%(label)s: %(reason)s") % said


def _named(paths: list[str] | None) -> str:
    if not paths:
        return ""
    more = ", …" if len(paths) > _PATHS_SHOWN else ""
    return f" ({', '.join(paths[:_PATHS_SHOWN])}{more})"


def _mapping(value: object) -> dict[str, Any]:
    """Return a part of a report; the wiki's has a list under the same name."""
    return value if isinstance(value, dict) else {}
