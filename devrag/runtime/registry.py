"""Which folder of data (DEVRAG_HOME) the servers that this user started belong to.

A command that is given only a port finds the data of that server by it. The pid file in
each folder says whether its server runs, and where. Here are the addresses, each with
the folder that it belonged to last, so that a stopped server is started with its data.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from devrag.core.errors import ConfigurationError
from devrag.core.hashing import sha256_hex
from devrag.core.user_folders import state_folder
from devrag.runtime.layout import Home, Say
from devrag.runtime.pidfile import ServerRecord
from devrag.runtime.state_files import read_json, write_json


@dataclass(frozen=True, slots=True)
class RegisteredServer:
    """A server's address and data, as of its latest start there.

    is_embedded: database and broker are those started in the folder. started_at: ISO
    8601 in UTC.
    """

    home: Home
    is_embedded: bool
    host: str
    port: int
    started_at: str


def register_server(
    home: Home, record: ServerRecord, say: Say, *, is_embedded: bool
) -> None:
    """Remember which folder the address belongs to, in place of an earlier one.

    Without a place for the list the server runs all the same: commands then need
    DEVRAG_HOME or a token to reach it.
    """
    try:
        folder = _folder()
        _remove_unusable(folder)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        address = f"{record.host} {record.port}"
        entry = {
            "home": str(home.root),
            "isEmbedded": is_embedded,
            "host": record.host,
            "port": record.port,
            "startedAt": record.startedAt,
        }
        write_json(folder / f"{sha256_hex(address)[:16]}.json", entry)
    except (OSError, ConfigurationError) as error:
        say(f"warning: commands will not find this server by its port ({error})")


def list_servers() -> list[RegisteredServer]:
    """Return the servers that were started, running or not, the latest first.

    Those whose folder of data is gone are left out.
    """
    try:
        paths = list(_folder().glob("*.json"))
    except (OSError, ConfigurationError):
        return []
    found = [server for path in paths if (server := _read(path)) is not None]
    return sorted(found, key=lambda server: server.started_at, reverse=True)


def _folder() -> Path:
    return state_folder() / "servers"


def _read(path: Path) -> RegisteredServer | None:
    try:
        state = read_json(path)
        server = RegisteredServer(
            home=Home(Path(state["home"])),
            is_embedded=state["isEmbedded"] is True,
            host=str(state["host"]),
            port=int(state["port"]),
            started_at=str(state["startedAt"]),
        )
        return server if server.home.root.is_dir() else None
    except (OSError, ConfigurationError, KeyError, TypeError, ValueError):
        return None


def _remove_unusable(folder: Path) -> None:
    """Remove entries whose folder of data is gone, and those that are damaged."""
    for path in folder.glob("*.json"):
        if _read(path) is None:
            path.unlink(missing_ok=True)
