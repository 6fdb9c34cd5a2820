"""Jobs of this machine."""

from __future__ import annotations

from collections.abc import Sequence

from devrag.cli.interfaces import Document
from devrag.core.principal import SYSTEM
from devrag.jobs.api import details_of, event_of, line_of
from devrag.jobs.models import OPEN_STATES, Job
from devrag.jobs.selectors import find_job, list_jobs
from devrag.jobs.sentences import LISTED, LOGGED, progress_words
from devrag.jobs.services import cancel_job, retry_job
from devrag.use_cases.api import describe_timings, wait_for_job


class LocalJobs:
    """Jobs in the database. See `devrag.cli.interfaces.Jobs`."""

    def list(self, *, is_open: bool) -> list[Document]:
        jobs = list_jobs(SYSTEM)
        if is_open:
            jobs = jobs.filter(state__in=OPEN_STATES)
        return list(map(_row, jobs[:LISTED]))

    def find(self, beginning: str) -> str:
        return str(find_job(beginning, SYSTEM).pk)

    def get(self, job_id: str) -> Document:
        return details_of(_job(job_id))

    def log(self, job_id: str) -> Sequence[Document]:
        newest = _job(job_id).events.order_by("-pk")[:LOGGED]
        return list(map(event_of, reversed(newest)))

    def cancel(self, job_id: str) -> None:
        cancel_job(job=_job(job_id))

    def retry(self, job_id: str) -> str:
        return str(retry_job(job=_job(job_id)).pk)

    def wait(self, job_id: str) -> Document:
        return wait_for_job(_job(job_id))

    def timings(self, job: Document, embedding: Document | None) -> Sequence[str]:
        return list(describe_timings(_job(job["jobID"])))


def _job(job_id: str) -> Job:
    return find_job(job_id, SYSTEM)


def _row(job: Job) -> Document:
    """Return a line of the list with how far the job is, while it is open."""
    progress = progress_words(details_of(job)) if job.is_open else ""
    return {**line_of(job), "progress": progress}
