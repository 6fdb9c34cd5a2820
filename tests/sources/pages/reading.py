"""What tests ask of a connector of pages and tickets."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from devrag.sources.connectors import (
    ConnectorContext,
    Credentials,
    Entry,
    Unlisted,
    open_connector,
)
from devrag.sources.connectors.pages.connector import PageConnector
from devrag.sources.connectors.types import Removed
from tests.sources.repositories import LOOPBACK

Open = Callable[..., PageConnector]


class Clocked(Protocol):
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


def read_all(connector: PageConnector) -> list[tuple[Entry, bytes]]:
    """Read everything, with what is known of each."""
    version = connector.resolve()
    entries = [e for e in connector.list(version) if isinstance(e, Entry)]
    return list(connector.read(version, entries))


def unlisted(connector: PageConnector) -> set[tuple[str, str]]:
    """Return the paths that are left out, each with the reason."""
    found = connector.list(connector.resolve())
    return {(e.path, e.reason) for e in found if isinstance(e, Unlisted)}


def changes(connector: PageConnector, since: str) -> tuple[set[str], set[str]]:
    """Return the paths that entered or changed, and those that left."""
    found = list(connector.changes(since, connector.resolve()) or ())
    gone = {e.path for e in found if isinstance(e, Removed)}
    return {e.path for e in found if not isinstance(e, Removed)} - gone, gone


def later(server: Clocked, **time: float) -> None:
    """Let time pass, an hour where it is not told; forget the requests."""
    server.clock += timedelta(**(time or {"hours": 1}))
    server.requests.clear()


@contextmanager
def opening(kind: str, url: str, token: str, folder: Path) -> Iterator[Open]:
    """Yield what opens a source, once more after another; metadata as given."""
    with ExitStack() as stack:
        before: list[PageConnector] = []

        def connect(
            context: dict[str, Any] | None = None, **metadata: Any
        ) -> PageConnector:
            given = {
                "repos_dir": folder,
                "address_rules": LOOPBACK,
                "credentials": Credentials("", token),
                **(context or {}),
            }
            made = open_connector(
                kind, {"url": url, **metadata}, ConnectorContext(**given)
            )
            assert isinstance(made, PageConnector)
            while before:
                before.pop().close()  # a mirror is one's alone
            before.append(made)
            return stack.enter_context(closing(made))

        yield connect


_READ = """
import sys
from pathlib import Path
from devrag.sources.connectors import ConnectorContext, Credentials, open_connector
from devrag.sources.hosts import AddressRules

rules = AddressRules(allow_http=True, allow_loopback=True)
kind, url, token, folder = sys.argv[1:]
context = ConnectorContext(Path(folder), rules, credentials=Credentials("", token))
open_connector(kind, {"url": url}, context).resolve()
"""


def read_in_process(
    kind: str, url: str, token: str, folder: Path
) -> subprocess.Popen[bytes]:
    """Start to read a source in a process of its own."""
    command = [sys.executable, "-c", _READ, kind, url, token, str(folder)]
    return subprocess.Popen(command)
