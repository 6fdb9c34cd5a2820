"""`product`, answered by another devrag."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from devrag.client.connection import Connection
from devrag.client.deletion import confirm, follow_removal
from devrag.client.lists import find_product
from devrag.client.output import answer, answer_lines
from devrag.core.errors import InvalidInput
from devrag.products.wiki_settings import read_wiki_setting

Row = dict[str, Any]


def product(server: Connection, options: Namespace) -> None:
    """List, show, add, change and remove products there."""
    if options.action != "list" and not options.name:
        raise InvalidInput(f"Give a name: devrag product {options.action} NAME")
    actions = {
        "list": _list,
        "show": _show,
        "add": _add,
        "update": _update,
        "remove": _remove,
    }
    actions[options.action](server, options)


def _list(server: Connection, options: Namespace) -> None:
    names: dict[str, list[str]] = {}
    for row in server.get_all("/sources"):
        names.setdefault(row["productName"], []).append(row["sourceName"])
    rows = server.get_all("/products")
    facts = [_facts(row, names.get(row["productName"], [])) for row in rows]
    lines = [f"{each['name']}  {', '.join(each['sources'])}" for each in facts]
    answer_lines(options, facts, lines)


def _show(server: Connection, options: Namespace) -> None:
    found = find_product(server, options.name)
    facts = _facts(found, _sources(server, found))
    described = [facts["description"]] if facts["description"] else []
    answer(options, facts, "\n  ".join([options.name, *described, *facts["sources"]]))


def _add(server: Connection, options: Namespace) -> None:
    body = {"productName": options.name, **_wanted(options)}
    made = server.post("/products", body)
    answer(options, _facts(made, []), f"Added {made['productName']}.")


def _update(server: Connection, options: Namespace) -> None:
    wanted = _wanted(options)
    if not wanted:
        raise InvalidInput(
            "Say what to set: --title TEXT, --description TEXT, --wiki KEY=VALUE, "
            "--external-models no."
        )
    found = find_product(server, options.name)
    changed = server.patch(f"/products/{found['productID']}", wanted)
    facts = _facts(changed, _sources(server, found))
    answer(options, facts, f"Changed {changed['productName']}.")


def _remove(server: Connection, options: Namespace) -> None:
    found = find_product(server, options.name)
    confirm(options, f"the product '{options.name}'", _sources(server, found))
    job = server.delete(f"/products/{found['productID']}")
    follow_removal(server, options, job["jobID"])


def _wanted(options: Namespace) -> Row:
    """Return what is to be set, as the request names it."""
    given = {"title": options.title, "description": options.description}
    wanted: Row = {name: text for name, text in given.items() if text is not None}
    if options.external_models:
        wanted["externalModelsAllowed"] = options.external_models == "yes"
    if options.source_roots is not None:
        wanted["sourceRoots"] = options.source_roots
    if options.ssh_key:
        wanted["sshKeyAllowed"] = options.ssh_key == "yes"
    if options.wiki:
        wanted["wikiSettings"] = dict(map(read_wiki_setting, options.wiki))
    return wanted


def _sources(server: Connection, found: Row) -> list[str]:
    rows = server.get_all(f"/products/{found['productID']}/sources")
    return [row["sourceName"] for row in rows]


def _facts(row: Row, sources: list[str]) -> Row:
    """Return the fields that the command has where the database is."""
    return {
        "name": row["productName"],
        "title": row["title"],
        "description": row["description"],
        "visibility": row["visibility"],
        "wiki": row["wikiSettings"],
        "externalModels": row["externalModelsAllowed"],
        "sourceRoots": row.get("sourceRoots"),
        "sshKey": row.get("sshKeyAllowed"),
        "sources": sources,
    }
