"""`jobs list|show|cancel|retry`: what is running, and how far it is."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from devrag.cli.command import Command
from devrag.cli.interfaces import Backend
from devrag.core.errors import InvalidInput
from devrag.core.terminal import Terminal
from devrag.jobs.sentences import NO_JOBS, list_line, shown_facts, shown_lines


def _add_options(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=["list", "show", "cancel", "retry"])
    parser.add_argument(
        "id", nargs="?", default="", help="Job ID or its first characters."
    )
    parser.add_argument(
        "--open", action="store_true", help="List only running and waiting jobs."
    )


def _run(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    if options.action == "list":
        rows = backend.jobs.list(is_open=options.open)
        terminal.answer_lines(rows, list(map(list_line, rows)) or [NO_JOBS])
        return
    if not options.id:
        raise InvalidInput(
            f"`jobs {options.action}` needs a job ID. Run `devrag jobs list` to see "
            "them."
        )
    job_id = backend.jobs.find(options.id)
    if options.action == "cancel":
        backend.jobs.cancel(job_id)
    elif options.action == "retry":
        job_id = backend.jobs.retry(job_id)
    job, log = backend.jobs.get(job_id), backend.jobs.log(job_id)
    terminal.answer(shown_facts(job, log), "\n".join(shown_lines(job, log)))


COMMAND = Command(
    "List jobs, show one with its log, cancel it or retry it. The first characters of "
    "an ID are enough. Example: devrag jobs show 1f9c2d3a",
    _add_options,
    _run,
)
