"""`wiki`, answered by another devrag: written there, exported to here."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from devrag.client.connection import Connection
from devrag.client.jobs import wait_for_job
from devrag.client.lists import find_product
from devrag.client.say import answer
from devrag.core.errors import InvalidInput
from devrag.flows.sentences import wiki_sentence

# Those that look at the versions of one of a product's wikis.
OF_ONE_LANGUAGE = ("diff", "show", "pin", "unpin")


def wiki(server: Connection, options: Namespace) -> None:
    """Write a wiki there, say how it stands, or bring its pages here."""
    actions = {
        "generate": _generate,
        "status": _status,
        "export": _export,
        "diff": _diff,
        "show": _show,
        "pin": _pin,
        "unpin": _pin,
    }
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


def _diff(server: Connection, options: Namespace) -> None:
    asked = {"before": options.before, "after": options.after}
    query = urlencode({k: v for k, v in asked.items() if v is not None})
    pages = server.get(f"{_versions(server, options, 'diff')}&{query}")
    lines = [
        f"{page['kind']} {page['path']} (+{page['linesAdded']} -{page['linesRemoved']})"
        + (f"\n{page['diff']}" if options.full else "")
        for page in pages
    ]
    data = {**asked, "pages": pages}
    answer(options, data, "\n".join(lines) or "No page differs.")


def _show(server: Connection, options: Namespace) -> None:
    found = _change(server, options, {"isCurrent": True})
    text = (
        f"Readers see version {found['version']} of {found['generatedAt']} by "
        f"{found['writer']}."
    )
    newest = server.get(_versions(server, options, "versions") + "&limit=1")[0]
    if newest["version"] > options.number:
        text += (
            " An index does not change that; wiki generate, or wiki show with "
            f"{newest['version']}, lets it follow the sources again."
        )
    answer(options, found, text)


def _pin(server: Connection, options: Namespace) -> None:
    is_pinned = options.action == "pin"
    found = _change(server, options, {"isPinned": is_pinned})
    text = "is kept for good" if is_pinned else "goes when newer ones take its place"
    answer(options, found, f"Version {options.number} {text}.")


def _change(server: Connection, options: Namespace, body: dict[str, Any]) -> Any:
    return server.patch(_versions(server, options, f"versions/{options.number}"), body)


def _versions(server: Connection, options: Namespace, what: str) -> str:
    """Return an address of the wiki in the language that was asked for."""
    return f"{_wiki_path(server, options)}/{what}?language={options.language or ''}"


def _wiki_path(server: Connection, options: Namespace) -> str:
    found = find_product(server, options.product)
    return f"/products/{found['productID']}/wiki"
