"""Let the server that runs on this machine answer: it has everything loaded already.

Only where it is plain that the server's data is what the command would read itself:
the embedded services of the same DEVRAG_HOME, with nothing else in the environment or
in `.env`. Whatever goes wrong, the command answers in process, with its own errors.
"""

from __future__ import annotations

import os
import re
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from devrag.cli.remote.destination import Destination
from devrag.core.errors import DevragError
from devrag.core.installation import current_home, env_file
from devrag.core.local_operator import sign_local_request
from devrag.runtime.endpoints import running_server_address
from devrag.runtime.layout import Home

if TYPE_CHECKING:
    from devrag.cli.interfaces import SearchAnswer, SearchRequest

# What would lead elsewhere, or sign otherwise, than the server's files say.
_DECIDING = (
    *("DEVRAG_HOME", "DATABASE_URL", "POSTGRES_HOST", "REDIS_URL", "SECRET_KEY"),
    "ALLOWED_HOSTS",
)
_ASSIGNED = re.compile(rf"^\s*(?:export\s+)?(?:{'|'.join(_DECIDING)})\s*=\s*\S", re.M)
_CALLABLE = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1", "::1": "[::1]"}  # noqa: S104


class Unanswered(Exception):
    """The server did not answer, or did not want to."""


class RunningServer:
    """Answers searches as the in-process backend does; nothing else."""

    def __init__(self, destination: Destination) -> None:
        self._destination = destination

    def search(self, request: SearchRequest) -> SearchAnswer:
        """Search there; Unanswered when that fails for any reason."""
        from devrag.cli.remote.connection import Connection  # noqa: PLC0415
        from devrag.cli.remote.search import search  # noqa: PLC0415

        try:
            return search(Connection(self._destination), request)
        except DevragError as error:
            raise Unanswered from error


def find_running_server(options: Namespace) -> Any:
    """Return a backend for a search, None where it has to be done in process.

    Timings are told in process only: they are those of its parts.
    """
    if options.verbose or _is_set_elsewhere():
        return None
    home = Home(current_home())
    address = running_server_address(home)
    key = _read_key(home.run / "secret_key")
    if address is None or not key:
        return None
    host, port = address
    url = f"http://{_CALLABLE.get(host, host)}:{port}"
    return RunningServer(Destination(url, sign_local_request(key)))


def _is_set_elsewhere() -> bool:
    if any(os.environ.get(name) for name in _DECIDING[1:]):
        return True
    try:
        return bool(_ASSIGNED.search(env_file().read_text(encoding="utf-8")))
    except FileNotFoundError:
        return False
    except (OSError, UnicodeDecodeError):
        return True


def _read_key(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:
        return ""
