"""What another devrag has: its products, its sources, its jobs."""

from __future__ import annotations

from argparse import Namespace
from typing import Any
from urllib.parse import quote

from devrag.client.connection import Connection
from devrag.client.jobs import OPEN, describe_job
from devrag.client.say import answer, answer_rows
from devrag.core.errors import NotFound


def product(server: Connection, options: Namespace) -> None:
    """List products, or show one with its sources."""
    if options.action == "list":
        answer_rows(options, server.get_all("/products"), ("productName", "title"))
        return
    found = find_product(server, options.name)
    sources = server.get_all(f"/products/{found['productID']}/sources")
    names = [row["sourceName"] for row in sources]
    answer(options, {**found, "sources": names}, "\n  ".join([options.name, *names]))


def source(server: Connection, options: Namespace) -> None:
    """List sources, or show one."""
    rows = server.get_all("/sources")
    columns = ("sourceName", "sourceType", "productName", "sourceURL")
    if options.action == "list":
        answer_rows(options, rows, columns)
        return
    found = next((row for row in rows if row["sourceName"] == options.name), None)
    if found is None:
        raise NotFound(f"There is no source '{options.name}' at {server.url}.")
    answer(options, found, "\n".join(f"{key}: {found[key]}" for key in found))


def jobs(server: Connection, options: Namespace) -> None:
    """List jobs; show one with its log; cancel it or ask for it again."""
    if options.action == "list":
        rows = server.get_all("/jobs")
        if options.open:
            rows = [row for row in rows if row["status"] in OPEN]
        columns = ("jobID", "status", "jobType", "sourceName", "error")
        answer_rows(options, rows, columns)
        return
    path = f"/jobs/{quote(options.id, safe='')}"
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
    data = {**found, "log": [[e["at"], e["level"], e["message"]] for e in log]}
    answer(options, data, "\n".join(filter(None, [*lines, found["error"]])))


def find_product(server: Connection, name: str) -> dict[str, Any]:
    """Return the product of that name."""
    rows: list[dict[str, Any]] = server.get_all("/products")
    found = next((row for row in rows if row["productName"] == name), None)
    if found is None:
        raise NotFound(f"There is no product '{name}' at {server.url}.")
    return found
