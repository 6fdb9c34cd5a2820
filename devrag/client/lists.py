"""What another devrag has: its products, its sources, a job."""

from __future__ import annotations

from argparse import Namespace
from typing import Any
from urllib.parse import quote

from devrag.client.connection import Connection
from devrag.client.jobs import describe_job
from devrag.client.say import answer, answer_rows
from devrag.core.errors import NotFound


def product(server: Connection, options: Namespace) -> None:
    """List products, or show one with its sources."""
    if options.action == "list":
        answer_rows(options, server.get("/products"), ("productName", "title"))
        return
    found = find_product(server, options.name)
    sources = server.get(f"/products/{found['productID']}/sources")
    names = [row["sourceName"] for row in sources]
    answer(options, {**found, "sources": names}, "\n  ".join([options.name, *names]))


def source(server: Connection, options: Namespace) -> None:
    """List sources, or show one."""
    rows = server.get("/sources")
    columns = ("sourceName", "sourceType", "productName", "sourceURL")
    if options.action == "list":
        answer_rows(options, rows, columns)
        return
    found = next((row for row in rows if row["sourceName"] == options.name), None)
    if found is None:
        raise NotFound(f"There is no source '{options.name}' at {server.url}.")
    answer(options, found, "\n".join(f"{key}: {found[key]}" for key in found))


def jobs(server: Connection, options: Namespace) -> None:
    """Show a job."""
    found = server.get(f"/jobs/{quote(options.id, safe='')}")
    text = f"{found['jobID']}  {found['status']}  {describe_job(found)[1]}"
    answer(options, found, f"{text}\n{found['error']}".rstrip())


def find_product(server: Connection, name: str) -> dict[str, Any]:
    """Return the product of that name."""
    rows: list[dict[str, Any]] = server.get("/products")
    found = next((row for row in rows if row["productName"] == name), None)
    if found is None:
        raise NotFound(f"There is no product '{name}' at {server.url}.")
    return found
