"""The addresses of the running embedded services, for whoever starts next.

Read by the settings at import: standard library only.
"""

from __future__ import annotations

import fcntl
from dataclasses import asdict, dataclass
from pathlib import Path

from devrag.runtime.layout import Home
from devrag.runtime.state_files import read_json, write_json


@dataclass(frozen=True, slots=True)
class Endpoints:
    """URLs with passwords; None where the service is not embedded."""

    database_url: str | None
    redis_url: str | None


def read_endpoints(home: Home) -> Endpoints | None:
    """Return what the last start of the embedded services wrote down, if anything."""
    state = read_json(_path(home))
    return None if state is None else Endpoints(**state)


def write_endpoints(home: Home, endpoints: Endpoints) -> None:
    """Write `run/services.json`, 0600."""
    write_json(_path(home), asdict(endpoints))


def forget_endpoints(home: Home) -> None:
    """Remove `run/services.json`: nothing embedded runs any more."""
    _path(home).unlink(missing_ok=True)


def running_server_address(home: Home) -> tuple[str, int] | None:
    """Return where the server of a home listens; None when none runs.

    Whoever is the server holds a lock until its end (`runtime.pidfile`).
    """
    try:
        with (home.run / "server.lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        state = read_json(home.run / "server.pid")
        return (state["host"], state["port"]) if state else None
    except OSError:
        pass  # nothing was ever started there, or it is another user's
    return None


def _path(home: Home) -> Path:
    return home.run / "services.json"
