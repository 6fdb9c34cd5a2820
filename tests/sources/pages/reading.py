"""What tests ask of a connector of a wiki or tracker."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Protocol

from devrag.sources.connectors import Entry, Unlisted
from devrag.sources.connectors.pages.connector import PageConnector
from devrag.sources.connectors.types import Removed


class Server(Protocol):
    """What stands for a wiki or tracker. requests: their paths."""

    clock: datetime
    requests: list[str]


def texts(connector: PageConnector) -> dict[str, str]:
    """Read everything: path → text."""
    version = connector.resolve()
    entries = [e for e in connector.list(version) if isinstance(e, Entry)]
    return {
        entry.path: data.decode("utf-8", "replace")
        for entry, data in connector.read(version, entries)
    }


def unlisted(connector: PageConnector) -> set[tuple[str, str]]:
    """Return the paths that are left out, each with the reason."""
    found = connector.list(connector.resolve())
    return {(e.path, e.reason) for e in found if isinstance(e, Unlisted)}


def changes(connector: PageConnector, since: str) -> tuple[set[str], set[str]]:
    """Return the paths that entered or changed, and those that left."""
    found = list(connector.changes(since, connector.resolve()) or ())
    gone = {e.path for e in found if isinstance(e, Removed)}
    return {e.path for e in found if not isinstance(e, Removed)} - gone, gone


def later(server: Server, **time: float) -> None:
    """Let time pass, an hour where it is not told; forget the requests."""
    server.clock += timedelta(**(time or {"hours": 1}))
    server.requests.clear()
