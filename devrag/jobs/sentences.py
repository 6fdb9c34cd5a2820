"""Jobs in words, from what REST tells of them: at terminals here and elsewhere.

Nothing here needs Django. `wording` says the same in the browser's language, by the
functions that translate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from devrag.core.text import one_line
from devrag.jobs.reports import report_lines

OPEN = ("pending", "running")
LISTED = 50  # jobs in a list
LOGGED = 20  # lines of a log
NO_JOBS = "No jobs. Finished ones are kept for a day."
_MINUTE, _HOUR = 60, 3600
Job = Mapping[str, Any]
Log = Sequence[Mapping[str, str]]
Translate = Callable[[str], str]
TranslateCount = Callable[[str, str, int], str]


def _as_it_is(text: str) -> str:
    return text


def _one_or_many(one: str, many: str, number: int) -> str:
    return one if number == 1 else many


def list_line(job: Job) -> str:
    """Return a job's line in a list; `progress` says how far it is."""
    what = job["error"] or job["progress"]
    return f"{job['jobID'][:8]}  {job['status']:<9}  {_title(job)}  {what}".rstrip()


def shown_lines(job: Job, log: Log) -> list[str]:
    """Return a job with its progress, the end of its log, its error and report."""
    lines = [
        f"{job['jobID']}  {job['status']}  {_title(job)}",
        progress_words(job),
        *(f"  {e['at'][11:19]} {e['level']}: {e['message']}" for e in log[-LOGGED:]),
        job["error"],
        *(f"  {label}: {text}" for label, text in report_lines(job["report"])),
    ]
    return [one_line(line) for line in lines if line]


def shown_facts(job: Job, log: Log) -> dict[str, Any]:
    """Return the document of a job with its progress and the end of its log."""
    lines = [[e["at"], e["level"], e["message"]] for e in log[-LOGGED:]]
    return {**job, "progress": progress_words(job), "log": lines}


def describe_job(job: Job) -> tuple[str, str]:
    """Return the step that a job is at, and a line about it."""
    phase = _running_phase(job)
    step = job["status"] if job["waiting"] or phase is None else phase["name"]
    return step, f"{_title(job)}: {progress_words(job) or job['status']}"


def progress_words(job: Job) -> str:
    """Return how far an open job is, or what it waits for; '' for one that ended."""
    if job["waiting"]:
        return waiting_words(job, job["waiting"])
    phase = _running_phase(job)
    if phase is None:
        return ""
    left = job_time_words(job.get("secondsLeft"))
    said = (phase["name"], phase_words(phase), phase["current"], left)
    return "  ".join(filter(None, said))


def job_time_words(seconds: float | None, gettext: Translate = _as_it_is) -> str:
    """Return `about 12 min left in total` of a job, '' where it is not known."""
    if seconds is None:
        return ""
    time = duration_words(seconds, gettext)
    return gettext("about %(time)s left in total") % {"time": time}


def _title(job: Job) -> str:
    subject = job["sourceName"] or job["productName"] or ""
    return f"{job['jobType']} {subject}".rstrip()


def _running_phase(job: Job) -> Mapping[str, Any] | None:
    return next((p for p in job["phases"] if p["status"] == "running"), None)


def waiting_words(
    job: Job,
    waiting: Mapping[str, Any],
    gettext: Translate = _as_it_is,
    ngettext: TranslateCount = _one_or_many,
) -> str:
    """Say what a pending job waits for."""
    if waiting["behindJobID"]:
        subject = job["sourceName"] or job["productName"] or gettext("it")
        return gettext(
            "Waiting for another %(kind)s job of %(subject)s; this job is next."
        ) % {"kind": job["jobType"], "subject": subject}
    if ahead := waiting["jobsAhead"]:
        return ngettext(
            "Waiting for a free worker; %(number)s job is ahead.",
            "Waiting for a free worker; %(number)s jobs are ahead.",
            ahead,
        ) % {"number": ahead}
    return gettext("Waiting for a free worker; this job is next.")


def phase_words(phase: Mapping[str, Any], gettext: Translate = _as_it_is) -> str:
    """Return `40 of 400 files, 85 files/s, 4 s left`, as far as it is known."""
    if phase["total"] <= 1:
        return ""
    rate, left = phase["rate"], phase["secondsLeft"]
    unit = gettext(phase["unit"]) if phase["unit"] else ""
    counts = {name: f"{phase[name]:,}" for name in ("done", "total")} | {"unit": unit}
    said = [(gettext("%(done)s of %(total)s %(unit)s") % counts).rstrip()]
    if rate is not None and unit:
        said.append(f"{rate:.{0 if rate >= 10 else 1}f} {unit}/s")
    if left is not None:
        said.append(gettext("%(time)s left") % {"time": duration_words(left, gettext)})
    return ", ".join(said)


def duration_words(seconds: float, gettext: Translate = _as_it_is) -> str:
    """Return `8 s`, `3 min` or `1 h 20 min`."""
    if seconds < _MINUTE:
        return gettext("%(seconds)s s") % {"seconds": round(seconds)}
    if seconds < _HOUR:
        return gettext("%(minutes)s min") % {"minutes": round(seconds / _MINUTE)}
    hours, rest = divmod(seconds, _HOUR)
    parts = {"hours": int(hours), "minutes": int(rest // _MINUTE)}
    return gettext("%(hours)s h %(minutes)s min") % parts
