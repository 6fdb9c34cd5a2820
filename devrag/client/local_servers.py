"""Servers on this machine: which data a local address stands for.

A server that this user started has its data on this machine. Commands then work on
that data directly: they need no token, and all of them can be used.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from devrag.core.config_file import LOCAL_NAMES
from devrag.core.errors import ConfigurationError
from devrag.core.installation import current_home

_ANY_ADDRESS = ("0.0.0.0", "::", "")  # noqa: S104 - compared, never listened on
# Variables that would lead to another database or broker than the server's.
_EXTERNAL = ("DATABASE_URL", "POSTGRES_HOST", "REDIS_URL")
_CONNECT_SECONDS = 2.0


def is_local(url: str) -> bool:
    """Return whether an address is one of this machine."""
    try:
        return urlsplit(url).hostname in (*LOCAL_NAMES, *_ANY_ADDRESS)
    except ValueError:
        return False


def find_home(url: str) -> Path | None:
    """Return the data of the server at a local address, if this user started it."""
    address = urlsplit(url)
    if not is_local(url) or address.scheme != "http" or address.path:
        return None
    from devrag.runtime.layout import Home  # noqa: PLC0415 - only for local addresses
    from devrag.runtime.registry import list_homes  # noqa: PLC0415

    homes = [each.home for each in list_homes() if each.is_embedded]
    for home in (Home(current_home()), *homes):
        if _runs_at(home.root, address):
            return home.root
    return None


def use_home(home: Path) -> None:
    """Let this process and what it starts work on that data."""
    if home != current_home():
        os.environ["DEVRAG_HOME"] = str(home)
        os.environ.update(dict.fromkeys(_EXTERNAL, ""))


def is_listening(url: str) -> bool:
    """Return whether anything accepts connections at an address."""
    address = urlsplit(url)
    port = address.port or (443 if address.scheme == "https" else 80)
    try:
        with socket.create_connection((address.hostname, port), _CONNECT_SECONDS):
            return True
    except OSError:
        return False


def _runs_at(home: Path, address: SplitResult) -> bool:
    from devrag.runtime.layout import Home  # noqa: PLC0415
    from devrag.runtime.pidfile import running_server  # noqa: PLC0415

    try:
        record = running_server(Home(home))
    except ConfigurationError:
        return False  # another user's, or damaged: `server status` there reports it
    if record is None or record.port != (address.port or 80):
        return False
    hosts = (address.hostname or "", record.host)
    is_any = any(host in (*_ANY_ADDRESS, "localhost") for host in hosts)
    return is_any or hosts[0] == hosts[1]
