"""The jobs of another devrag, and its products by name."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from devrag.client.connection import Connection
from devrag.client.jobs import OPEN, describe_job, describe_progress
from devrag.client.say import answer, answer_lines
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.text import one_line

_LISTED = 50


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
    lines = [f"{found['jobID']}  {found['status']}  {describe_job(found)[1]}"]
    lines += [
        f"  {line['at'][11:19]} {line['level']}: {line['message']}" for line in log
    ]
    lines.append(found["error"])
    data = {**found, "log": [[e["at"], e["level"], e["message"]] for e in log]}
    answer(options, data, "\n".join(map(one_line, filter(None, lines))))


def _list(server: Connection, options: Namespace) -> None:
    rows = server.get_all("/jobs")
    if options.open:
        rows = [row for row in rows if row["status"] in OPEN]
    facts = [_facts(server, row) for row in rows[:_LISTED]]
    none = ["No jobs. Finished ones are kept for a day."]
    answer_lines(options, facts, list(map(_line, facts)) or none)


def _facts(server: Connection, row: dict[str, Any]) -> dict[str, Any]:
    """Return the row with how far the job is, while it is open."""
    is_open = row["status"] in OPEN
    progress = describe_progress(server.get(f"/jobs/{row['jobID']}")) if is_open else ""
    return {**row, "progress": progress}


def _line(facts: dict[str, Any]) -> str:
    title = f"{facts['jobType']} {facts['sourceName'] or facts['productName'] or ''}"
    what = facts["error"] or facts["progress"]
    words = f"{facts['jobID'][:8]}  {facts['status']:<9}  {title.rstrip()}  {what}"
    return words.rstrip()


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
