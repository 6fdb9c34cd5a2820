"""`wiki`, answered by another devrag: written there, exported to here."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from urllib.parse import quote

from devrag.client.connection import Connection
from devrag.client.jobs import wait_for_job
from devrag.client.lists import find_product
from devrag.client.say import answer
from devrag.core.errors import InvalidInput
from devrag.flows.sentences import wiki_sentence


def wiki(server: Connection, options: Namespace) -> None:
    """Write a wiki there, say how it stands, or bring its pages here."""
    actions = {"generate": _generate, "status": _status, "export": _export}
    actions[options.action](server, options)


def _generate(server: Connection, options: Namespace) -> None:
    job = server.post("/products/wiki", {"productName": options.product})
    if options.no_wait:
        answer(options, {"jobID": job["jobID"]}, job["jobID"])
        return
    done = wait_for_job(server, job["jobID"])
    data = {"jobID": done["jobID"], **done["report"]}
    answer(options, data, wiki_sentence(done["report"]))


def _status(server: Connection, options: Namespace) -> None:
    found = server.get(_wiki_path(server, options))
    answer(
        options,
        found,
        f"version {found['version']} of {found['generatedAt']}: "
        f"{found['pageCount']} pages by {found['writer']}.",
    )


def _export(server: Connection, options: Namespace) -> None:
    base = _wiki_path(server, options)
    pages = [row["path"] for row in server.get_all(f"{base}/files")]
    folder = (options.output or Path(f"{options.product}-wiki")).resolve()
    for path in pages:
        target = (folder / path).resolve()
        if not target.is_relative_to(folder):
            raise InvalidInput(f"{server.url} names a page outside its wiki: {path}")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(
            server.get_text(f"{base}/files/{quote(path)}"), encoding="utf-8"
        )
    data = {"output": str(folder), "pages": len(pages)}
    answer(options, data, f"{len(pages)} pages are in {folder}.")


def _wiki_path(server: Connection, options: Namespace) -> str:
    found = find_product(server, options.product)
    return f"/products/{found['productID']}/wiki"
