"""Wait for a job of another devrag, with visible progress."""

from __future__ import annotations

import time
from typing import Any

from devrag.client.connection import Connection
from devrag.core.errors import DevragError
from devrag.core.progress_line import ProgressLine
from devrag.core.text import one_line

_POLL_SECONDS = 0.5
OPEN = ("pending", "running")


def wait_for_job(server: Connection, job_id: str) -> dict[str, Any]:
    """Return the job when it has ended; raises its error when it failed."""
    began, progress = time.monotonic(), ProgressLine()
    while True:
        job: dict[str, Any] = server.get(f"/jobs/{job_id}")
        step, words = describe_job(job)
        progress.show(step, one_line(words), time.monotonic() - began)
        if job["status"] not in OPEN:
            break
        time.sleep(_POLL_SECONDS)
    progress.end()
    if job["status"] == "skipped" and job["supersededBy"]:
        return wait_for_job(server, job["supersededBy"])
    if job["status"] != "completed":
        raise DevragError(
            one_line(job["error"]) or f"The {job['jobType']} job was {job['status']}."
        )
    return job


def describe_job(job: dict[str, Any]) -> tuple[str, str]:
    """Return the step that a job is at, and a line about it."""
    begin = f"{job['jobType']} {job['sourceName'] or job['productName'] or ''}: "
    phase = _running_phase(job)
    step = "waiting" if job["waiting"] else phase["name"] if phase else job["status"]
    return step, begin + (describe_progress(job) or job["status"])


def describe_progress(job: dict[str, Any]) -> str:
    """Return how far an open job is, or what it waits for."""
    if job["waiting"]:
        return f"waiting for a free worker, {job['waiting']['jobsAhead']} jobs ahead"
    phase = _running_phase(job)
    if phase is None:
        return ""
    said = [phase["name"]]
    if phase["total"] > 1:
        said.append(f"{phase['done']:,} of {phase['total']:,} {phase['unit']}".rstrip())
    said.append(phase["current"])
    return "  ".join(filter(None, said))


def _running_phase(job: dict[str, Any]) -> dict[str, Any] | None:
    return next((p for p in job["phases"] if p["status"] == "running"), None)
