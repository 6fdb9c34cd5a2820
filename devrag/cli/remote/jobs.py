"""Jobs of another devrag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from devrag.cli.interfaces import Document
from devrag.cli.remote.connection import Connection
from devrag.core.errors import NotFound
from devrag.jobs.sentences import LISTED, OPEN, progress_words
from devrag.use_cases.job_waiter import JobWaiter
from devrag.use_cases.timings import embedding_lines, timing_lines


class RemoteJobs:
    """Jobs at a server. See `devrag.cli.interfaces.Jobs`."""

    def __init__(self, server: Connection) -> None:
        self._server = server

    def list(self, *, is_open: bool) -> list[Document]:
        rows = self._server.get_all("/jobs")
        if is_open:
            rows = [row for row in rows if row["status"] in OPEN]
        return [self._with_progress(row) for row in rows[:LISTED]]

    def find(self, beginning: str) -> str:
        ids = [str(row["jobID"]) for row in self._server.get_all("/jobs")]
        found = [each for each in ids if each.startswith(beginning)]
        if len(found) != 1:
            what = "Several job IDs begin" if found else "No job ID begins"
            raise NotFound(
                f"{what} with '{beginning}' at {self._server.url}. Run `devrag jobs "
                "list` to see all jobs."
            )
        return found[0]

    def get(self, job_id: str) -> Document:
        found: Document = self._server.get(f"/jobs/{job_id}")
        return found

    def log(self, job_id: str) -> Sequence[Document]:
        return self._server.get_all(f"/jobs/{job_id}/log")

    def cancel(self, job_id: str) -> None:
        self._server.post(f"/jobs/{job_id}/cancel")

    def retry(self, job_id: str) -> str:
        return str(self._server.post(f"/jobs/{job_id}/retry")["jobID"])

    def wait(self, job_id: str) -> Document:
        return JobWaiter(self).wait(job_id)

    def timings(self, job: Document, embedding: Document | None) -> Sequence[str]:
        lines = list(timing_lines(job["report"]))
        if embedding is not None:
            lines += embedding_lines(embedding["report"])
        return lines

    def new_messages(self, _job_id: str) -> Iterator[str]:
        """Yield nothing: a log would cost a request with each look at a job."""
        yield from ()

    def check_pending(self, seconds: float) -> None:
        """Wait as long as it takes: whether workers run is for the server to say."""

    def _with_progress(self, row: Document) -> Document:
        """Return the row with how far the job is, while it is open."""
        is_open = row["status"] in OPEN
        return {
            **row,
            "progress": progress_words(self.get(row["jobID"])) if is_open else "",
        }
