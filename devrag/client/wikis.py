"""`wiki`, answered by another devrag: written there, exported to here."""

from __future__ import annotations

from argparse import Namespace
from typing import Any
from urllib.parse import urlencode

from devrag.client.connection import Connection
from devrag.client.export import export
from devrag.client.jobs import wait_for_job
from devrag.client.lists import find_product
from devrag.client.output import answer
from devrag.core.errors import NotFound
from devrag.use_cases.sentences import (
    difference_lines,
    estimate_sentence,
    pinned_sentence,
    shown_sentence,
    status_lines,
    version_sentence,
    wiki_sentence,
)

# Those that look at the versions of one of a product's wikis.
OF_ONE_LANGUAGE = ("status", "export", "diff", "show", "pin", "unpin")


def wiki(server: Connection, options: Namespace) -> None:
    """Write a wiki there, say how it stands, or bring its pages here."""
    actions = {
        "generate": _generate,
        "status": _status,
        "export": _export,
        "diff": _diff,
        "estimate": _estimate,
        "show": _show,
        "pin": _pin,
        "unpin": _pin,
    }
    actions[options.action](server, options)


def _generate(server: Connection, options: Namespace) -> None:
    version = None if options.force else _unchanged(server, options)
    if version is not None:
        text = f"Nothing changed since {version_sentence(version)}"
        answer(options, version, text)
        return
    asked = {"productName": options.product, "isForced": options.force}
    job = server.post("/products/wiki", asked)
    if options.no_wait:
        answer(options, {"jobID": job["jobID"]}, job["jobID"])
        return
    done = wait_for_job(server, job["jobID"])
    data = {"jobID": done["jobID"], **done["report"]}
    answer(options, data, wiki_sentence(done["report"]))


def _unchanged(server: Connection, options: Namespace) -> dict[str, Any] | None:
    """Return the version that readers see, if a run would write the same again."""
    base = _wiki_path(server, options)
    try:
        status = server.get(f"{base}/status")
    except NotFound:
        return None
    if not status["isUpToDate"]:
        return None
    found: dict[str, Any] = server.get(f"{base}/versions/{status['version']}")
    return found


def _status(server: Connection, options: Namespace) -> None:
    found = server.get(_versions(server, options, "status"))
    answer(options, found, "\n".join(status_lines(found)))


def _estimate(server: Connection, options: Namespace) -> None:
    found = server.get(f"{_wiki_path(server, options)}/estimate")
    answer(options, found, estimate_sentence(found))


def _export(server: Connection, options: Namespace) -> None:
    export(server, options, _wiki_path(server, options))


def _diff(server: Connection, options: Namespace) -> None:
    asked = {"before": options.before, "after": options.after}
    query = urlencode({k: v for k, v in asked.items() if v is not None})
    pages = server.get(f"{_versions(server, options, 'diff')}&{query}")
    lines = difference_lines(pages, is_full=options.full)
    answer(options, pages, "\n".join(lines))


def _show(server: Connection, options: Namespace) -> None:
    found = _change(server, options, {"isCurrent": True})
    newest = server.get(_versions(server, options, "versions") + "&limit=1")[0]
    answer(options, found, shown_sentence(found, newest["version"]))


def _pin(server: Connection, options: Namespace) -> None:
    found = _change(server, options, {"isPinned": options.action == "pin"})
    answer(options, found, pinned_sentence(found))


def _change(server: Connection, options: Namespace, body: dict[str, Any]) -> Any:
    return server.patch(_versions(server, options, f"versions/{options.number}"), body)


def _versions(server: Connection, options: Namespace, what: str) -> str:
    """Return an address of the wiki in the language that was asked for."""
    return f"{_wiki_path(server, options)}/{what}?language={options.language or ''}"


def _wiki_path(server: Connection, options: Namespace) -> str:
    found = find_product(server, options.product)
    return f"/products/{found['productID']}/wiki"
