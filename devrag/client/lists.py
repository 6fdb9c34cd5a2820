"""The jobs of another devrag, and its products by name."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from devrag.client.connection import Connection
from devrag.client.output import answer, answer_lines
from devrag.core.errors import InvalidInput, NotFound
from devrag.jobs.sentences import (
    LISTED,
    NO_JOBS,
    OPEN,
    list_line,
    progress_words,
    shown_facts,
    shown_lines,
)


def jobs(server: Connection, options: Namespace) -> None:
    """List jobs; show one with its log; cancel it or ask for it again."""
    if options.action == "list":
        _list(server, options)
        return
    path = f"/jobs/{_find(server, options)}"
    if options.action == "cancel":
        server.post(f"{path}/cancel")
    elif options.action == "retry":
        path = f"/jobs/{server.post(f'{path}/retry')['jobID']}"
    found = server.get(path)
    log = server.get_all(f"{path}/log")
    answer(options, shown_facts(found, log), "\n".join(shown_lines(found, log)))


def _list(server: Connection, options: Namespace) -> None:
    rows = server.get_all("/jobs")
    if options.open:
        rows = [row for row in rows if row["status"] in OPEN]
    facts = [_facts(server, row) for row in rows[:LISTED]]
    answer_lines(options, facts, list(map(list_line, facts)) or [NO_JOBS])


def _facts(server: Connection, row: dict[str, Any]) -> dict[str, Any]:
    """Return the row with how far the job is, while it is open."""
    is_open = row["status"] in OPEN
    progress = progress_words(server.get(f"/jobs/{row['jobID']}")) if is_open else ""
    return {**row, "progress": progress}


def _find(server: Connection, options: Namespace) -> str:
    """Return the whole id of the job whose id begins so."""
    if not options.id:
        raise InvalidInput(
            f"`jobs {options.action}` needs the id of a job. `devrag jobs list` shows "
            "them."
        )
    ids = [row["jobID"] for row in server.get_all("/jobs")]
    found = [each for each in ids if each.startswith(options.id)]
    if len(found) != 1:
        what = "Several jobs begin" if found else "No job begins"
        raise NotFound(
            f"{what} with '{options.id}' at {server.url}; see `devrag jobs list`."
        )
    return str(found[0])


def find_product(server: Connection, name: str) -> dict[str, Any]:
    """Return the product of that name."""
    rows: list[dict[str, Any]] = server.get_all("/products")
    found = next((row for row in rows if row["productName"] == name), None)
    if found is None:
        raise NotFound(f"There is no product '{name}' at {server.url}.")
    return found
