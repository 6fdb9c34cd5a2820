"""Which folders of data (DEVRAG_HOME) have a server that this user started.

A command that is told only a port finds the data of that server by it. The pid file in
each folder says whether the server still runs, and where; here are the folders alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from devrag.core.errors import ConfigurationError
from devrag.core.hashing import sha256_hex
from devrag.core.user_folders import state_folder
from devrag.runtime.layout import Home, Say
from devrag.runtime.pidfile import running_server
from devrag.runtime.private import read_json, write_json


@dataclass(frozen=True, slots=True)
class RegisteredHome:
    """A folder of data. is_embedded: database and broker are those started there."""

    home: Home
    is_embedded: bool


@contextmanager
def registered(home: Home, say: Say, *, is_embedded: bool) -> Iterator[None]:
    """Keep the folder in the list while its server runs.

    Without a place for the list the server runs all the same: commands then need
    DEVRAG_HOME or a token to reach it.
    """
    entry: Path | None = None
    try:
        entry = _folder() / f"{sha256_hex(str(home.root))[:16]}.json"
        _remove_ended(entry)
        entry.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_json(entry, {"home": str(home.root), "isEmbedded": is_embedded})
    except (OSError, ConfigurationError) as error:
        say(f"warning: commands will not find this server by its port ({error})")
    try:
        yield
    finally:
        if entry is not None:
            entry.unlink(missing_ok=True)


def list_homes() -> list[RegisteredHome]:
    """Return the folders whose server was started and has not been stopped."""
    try:
        paths = sorted(_folder().glob("*.json"))
    except (OSError, ConfigurationError):
        return []
    return [found for path in paths if (found := _read(path)) is not None]


def _folder() -> Path:
    return state_folder() / "servers"


def _read(path: Path) -> RegisteredHome | None:
    try:
        state = read_json(path)
        return RegisteredHome(Home(Path(state["home"])), state["isEmbedded"] is True)
    except (ConfigurationError, KeyError, TypeError):
        return None


def _remove_ended(kept: Path) -> None:
    """Remove entries of servers that were killed."""
    for path in kept.parent.glob("*.json"):
        found = _read(path)
        try:
            is_ended = found is None or running_server(found.home) is None
        except ConfigurationError:
            is_ended = True
        if is_ended:
            path.unlink(missing_ok=True)
