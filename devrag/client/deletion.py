"""What is deleted elsewhere: asked for first, and followed to its end."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence

from devrag.client.connection import Connection
from devrag.client.jobs import wait_for_job
from devrag.client.output import answer
from devrag.core.errors import Conflict


def confirm(options: Namespace, what: str, lost: Sequence[str]) -> None:
    """Ask before `what` is deleted, unless `--yes` was given; else Conflict."""
    if options.yes:
        return
    much = ", ".join(lost) or "it is empty"
    said = f"This deletes {what}: {much}.\nIt cannot be undone. Type yes to go on: "
    sys.stderr.write(said)
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() != "yes":
        raise Conflict("Nothing was deleted. Answer yes, or give --yes.")


def follow_removal(server: Connection, options: Namespace, job_id: str) -> None:
    """Wait until it is gone, unless that is not wanted."""
    if options.no_wait:
        answer(options, {"jobID": job_id}, job_id)
        return
    report = wait_for_job(server, job_id)["report"]
    answer(options, {"jobID": job_id, **report}, f"Removed {options.name}.")
