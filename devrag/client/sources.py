"""`source`, answered by another devrag."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from devrag.client.address_check import check_address, check_trust
from devrag.client.connection import Connection
from devrag.client.deletion import confirm, follow_removal
from devrag.client.output import answer, answer_lines
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.locations import make_absolute
from devrag.use_cases.arguments import SOURCE_SETTINGS, describe_update

Row = dict[str, Any]


def source(server: Connection, options: Namespace) -> None:
    """List, show, add, change and remove sources there."""
    actions = {
        "list": _list,
        "show": _show,
        "add": _add,
        "update": _update,
        "remove": _remove,
    }
    actions[options.action](server, options)


def _list(server: Connection, options: Namespace) -> None:
    facts = [_facts(row) for row in server.get_all("/sources")]
    lines = ["  ".join(each[key] for key in _COLUMNS) for each in facts]
    answer_lines(options, facts, lines)


def _show(server: Connection, options: Namespace) -> None:
    facts = _facts(_find(server, options.name))
    lines = [f"{key}: {_as_text(value)}" for key, value in facts.items()]
    answer(options, facts, "\n".join(lines))


def _add(server: Connection, options: Namespace) -> None:
    if not options.product:
        raise InvalidInput("Say which product it belongs to: --product NAME.")
    body = {
        "sourceURL": _with_login(server, options),
        "productName": options.product,
        "sourceName": options.name,
        "sourceType": options.type,
        "ref": options.ref,
    }
    job = server.post("/sources", {k: v for k, v in body.items() if v is not None})
    name = server.get(f"/jobs/{job['jobID']}")["sourceName"]
    if options.ref:
        found = _find(server, name)
        followed = {"settings": {"defaultBranch": options.ref}}
        server.patch(f"/sources/{found['sourceID']}", followed)
    data = {"name": name, "jobID": job["jobID"]}
    answer(options, data, f"{name} is being indexed: job {job['jobID']}")


def _update(server: Connection, options: Namespace) -> None:
    body = _changes(server, options)
    if not body:
        raise InvalidInput("Nothing to change; see source update --help.")
    found = _find(server, options.name)
    changed = server.patch(f"/sources/{found['sourceID']}", body)
    keys = (key for key in SOURCE_SETTINGS if vars(options)[key] is not None)
    text = describe_update(changed["sourceName"], keys)
    answer(options, _facts(changed), text)


def _remove(server: Connection, options: Namespace) -> None:
    found = _find(server, options.name)
    counts = (("files", "fileCount"), ("chunks", "chunkCount"))
    lost = [f"{found[key]:,} {noun}" for noun, key in counts if found[key]]
    confirm(options, f"the source '{options.name}'", lost)
    job = server.delete(f"/sources/{found['sourceID']}")
    follow_removal(server, options, job["jobID"])


def _changes(server: Connection, options: Namespace) -> Row:
    """Return what is to be changed, as the request names it."""
    given = vars(options)
    check_address(server, options.url or "")
    body: Row = {
        field: given[name] for name, field in _FIELDS.items() if given[name] is not None
    }
    if options.every is not None:
        body["indexEveryMinutes"] = options.every or None
    settings = {
        # An empty number is null there, and so is an empty text.
        _camel(key): None if given[key] == "" else given[key]
        for key in SOURCE_SETTINGS
        if given[key] is not None
    }
    return {**body, "settings": settings} if settings else body


def _with_login(server: Connection, options: Namespace) -> str:
    """Return the address with the token that is piped in; the server takes it out."""
    location = check_address(server, make_absolute(options.location))
    if not options.token_stdin:
        if options.username:
            raise InvalidInput("A user name needs its token: add --token-stdin.")
        return location
    check_trust(server, "the git host's token")
    secret = sys.stdin.readline().strip()
    if not secret or not secret.isprintable():
        raise InvalidInput("There is no token on standard input. Pipe it in, one line.")
    parts = urlsplit(location)
    if parts.scheme != "https":
        raise InvalidInput("A token is for an address that begins with https://.")
    login = f"{quote(options.username or 'git', safe='')}:{quote(secret, safe='')}"
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{login}@{place}"))


def _find(server: Connection, name: str) -> Row:
    rows = server.get_all("/sources")
    found = next((row for row in rows if row["sourceName"] == name), None)
    if found is None:
        raise NotFound(f"There is no source '{name}' at {server.url}.")
    return found


def _facts(row: Row) -> Row:
    """Return the fields that the command has where the database is; no host."""
    return {
        "name": row["sourceName"],
        "product": row["productName"],
        "type": row["sourceType"],
        "location": row["sourceURL"],
        "settings": {
            key: row["settings"][_camel(key)]
            for key in SOURCE_SETTINGS
            if row["settings"].get(_camel(key)) is not None
        },
        "indexEveryMinutes": row["indexEveryMinutes"],
        "generateWiki": row["generateWiki"],
        "hasCredentials": row["hasCredentials"],
        "indexed": {row["ref"]: row["commitHash"]} if row["ref"] else {},
    }


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _as_text(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key} {_as_text(item)}" for key, item in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)


_COLUMNS = ("name", "type", "product", "location")
_FIELDS = {"rename": "sourceName", "url": "sourceURL", "wiki": "generateWiki"}
