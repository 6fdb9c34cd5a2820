"""Wait for a job of another devrag, with visible progress."""

from __future__ import annotations

import time
from typing import Any

from devrag.client.connection import Connection
from devrag.core.errors import DevragError
from devrag.core.progress_line import ProgressLine
from devrag.core.text import one_line
from devrag.jobs.sentences import OPEN, describe_job

_POLL_SECONDS = 0.5


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
