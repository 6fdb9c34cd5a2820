"""`jobs list|show|cancel|retry`: what runs, how far it is, and a hand on it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM
from devrag.core.text import one_line
from devrag.jobs.facts import details_of, event_of, line_of
from devrag.jobs.models import OPEN_STATES, Job
from devrag.jobs.selectors import find_job, list_jobs
from devrag.jobs.sentences import (
    LISTED,
    LOGGED,
    NO_JOBS,
    list_line,
    progress_words,
    shown_facts,
    shown_lines,
)
from devrag.jobs.services import cancel_job, retry_job


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
        parser.add_argument(
            "id", nargs="?", default="", help="Job id, or the beginning of it."
        )
        parser.add_argument(
            "--open", action="store_true", help="List only running and waiting jobs."
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
        found = list(map(_facts, jobs[:LISTED]))
        if options["json"]:
            self.write_json(found)
            return
        for line in map(list_line, found):
            self.stdout.write(one_line(line))
        if not found:
            self.stdout.write(NO_JOBS)

    def _tell(self, job: Job, options: dict[str, Any]) -> None:
        last = list(job.events.order_by("-pk")[:LOGGED])[::-1]
        facts, log = details_of(job), list(map(event_of, last))
        if options["json"]:
            self.write_json(shown_facts(facts, log))
            return
        for line in shown_lines(facts, log):
            self.stdout.write(line)


def _facts(job: Job) -> dict[str, Any]:
    """Return a line of the list with how far the job is, while it is open."""
    progress = progress_words(details_of(job)) if job.is_open else ""
    return {**line_of(job), "progress": progress}
