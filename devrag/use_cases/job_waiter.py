"""Wait for a job at a terminal, with visible progress; needs no Django."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from devrag.core.errors import DevragError
from devrag.core.progress_line import ProgressLine
from devrag.core.text import one_line
from devrag.jobs.sentences import OPEN, describe_job

_POLL_SECONDS = 0.4


class JobFeed(Protocol):
    """Where the state of jobs is read from."""

    def get(self, job_id: str) -> dict[str, Any]:
        """Return a job as REST does."""

    def new_messages(self, job_id: str) -> Iterable[str]:
        """Return lines of the job's log that were not returned before."""

    def check_pending(self, seconds: float) -> None:
        """Raise ServiceError if nobody will start a job that waited so long."""


class JobWaiter:
    """Waits for jobs one after the other and shows what they do."""

    def __init__(self, feed: JobFeed, progress: ProgressLine | None = None) -> None:
        self._feed = feed
        self._progress = progress or ProgressLine()

    def wait(self, job_id: str) -> dict[str, Any]:
        """Return the job when it has ended; raises its error when it failed.

        Of a job that a newer one replaced, the newer one is waited for and returned.
        """
        began = time.monotonic()
        while True:
            job = self._feed.get(job_id)
            self.show(job, time.monotonic() - began)
            if job["status"] not in OPEN:
                break
            if job["status"] == "pending":
                self._feed.check_pending(time.monotonic() - began)
            time.sleep(_POLL_SECONDS)
        self._progress.end()
        if job["status"] == "skipped" and job["supersededBy"]:
            return self.wait(job["supersededBy"])
        if job["status"] != "completed":
            default = f"The {job['jobType']} job was {job['status']}."
            raise DevragError(one_line(job["error"]) or default)
        return job

    def show(self, job: Mapping[str, Any], seconds: float) -> None:
        """Show a job's new log lines and how far it is."""
        for message in self._feed.new_messages(job["jobID"]):
            self._progress.say(message)
        step, words = describe_job(job)
        self._progress.show(step, one_line(words), seconds)
