"""What tests ask of a connector."""

from __future__ import annotations

from datetime import timedelta

from devrag.sources.connectors import Entry, Unlisted
from devrag.sources.connectors.pages.connector import PageConnector
from devrag.sources.connectors.types import Removed
from tests.sources.redmine.redmine_server import Tracker


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


def later(tracker: Tracker, **time: float) -> None:
    """Let time pass, an hour where it is not told; forget the requests."""
    tracker.clock += timedelta(**(time or {"hours": 1}))
    tracker.requests.clear()


def read_alone(tracker: Tracker) -> list[str]:
    """Return the issues and pages that were asked for one by one."""
    parts = ("/issues/", "/wiki/")
    paths = [path.partition(".json")[0] for path in tracker.requests]
    found = [path for path in paths if any(part in path for part in parts)]
    skipped = ("/wiki/index", "/help/wiki_syntax")
    return sorted(path for path in found if not path.endswith(skipped))
