"""`jobs list|show|cancel|retry`: what runs, how far it is, and a hand on it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM
from devrag.core.text import one_line
from devrag.jobs.models import OPEN_STATES, Job
from devrag.jobs.progress import describe_progress
from devrag.jobs.selectors import find_job, get_waiting, list_jobs
from devrag.jobs.services import cancel_job, retry_job
from devrag.jobs.wording import describe_phase, describe_report, describe_waiting

_LISTED = 50
_EVENTS = 20


class Command(DevragCommand):
    """Look at jobs, cancel one, ask for one again."""

    help = (
        "List jobs, show one with its log, cancel or retry it. An id may be cut short. "
        "Example: devrag jobs show 1f9c2d3a"
    )
    is_remote = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("action", choices=["list", "show", "cancel", "retry"])
        parser.add_argument("id", nargs="?", default="", help="Id, or its beginning.")
        parser.add_argument(
            "--open", action="store_true", help="List only jobs that run or wait."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["action"] == "list":
            self._list(options)
            return
        if not options["id"]:
            raise InvalidInput(
                f"`jobs {options['action']}` needs the id of a job. "
                "`devrag jobs list` shows them."
            )
        job = find_job(options["id"], SYSTEM)
        if options["action"] == "cancel":
            job = cancel_job(job=job)
        elif options["action"] == "retry":
            job = retry_job(job=job)
        self._tell(job, options)

    def _list(self, options: dict[str, Any]) -> None:
        jobs = list_jobs(SYSTEM)
        if options["open"]:
            jobs = jobs.filter(state__in=OPEN_STATES)
        found = list(jobs[:_LISTED])
        if options["json"]:
            self.write_json([_as_json(job) for job in found])
            return
        for job in found:
            what = job.error or (_where(job) if job.is_open else "")
            words = f"{str(job.pk)[:8]}  {job.state:<9}  {_title(job)}  {what}"
            self.stdout.write(one_line(words.rstrip()))
        if not found:
            self.stdout.write("No jobs. Finished ones are kept for a day.")

    def _tell(self, job: Job, options: dict[str, Any]) -> None:
        events = list(job.events.order_by("-pk")[:_EVENTS])[::-1]
        if options["json"]:
            log = [[e.at, e.level, e.message] for e in events]
            self.write_json({**_as_json(job), "report": job.report, "log": log})
            return
        self.stdout.write(f"{job.pk}  {job.state}  {_title(job)}")
        if job.is_open:
            self.stdout.write(_where(job))
        for event in events:
            message = one_line(event.message)
            self.stdout.write(f"  {event.at:%H:%M:%S} {event.level}: {message}")
        for label, text in describe_report(job):
            self.stdout.write(f"  {label}: {one_line(text)}")


def _title(job: Job) -> str:
    name = job.source_name or (job.product.name if job.product else "")
    return f"{job.kind} {name}".rstrip()


def _where(job: Job) -> str:
    """Say how far an open job is, or what it waits for."""
    if waiting := get_waiting(job):
        return describe_waiting(job, waiting)
    phase = describe_progress(job).current
    if phase is None:
        return ""
    return "  ".join(filter(None, (phase.name, describe_phase(phase), phase.note)))


def _as_json(job: Job) -> dict[str, Any]:
    return {
        "jobID": job.pk,
        "jobType": job.kind,
        "status": job.state,
        "productName": job.product.name if job.product else None,
        "sourceName": job.source_name,
        "createdAt": job.created_at,
        "finishedAt": job.finished_at,
        "progress": _where(job) if job.is_open else "",
        "error": job.error,
        "supersededBy": job.superseded_by_id,
    }
