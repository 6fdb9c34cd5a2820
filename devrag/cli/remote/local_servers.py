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
    address = _local_address(url)
    if address is None:
        return None
    from devrag.runtime.layout import Home  # noqa: PLC0415 - only for local addresses
    from devrag.runtime.registry import list_servers  # noqa: PLC0415

    latest = {each.home: each for each in reversed(list_servers())}
    homes = [each.home for each in latest.values() if each.is_embedded]
    for home in (Home(current_home()), *homes):
        if _runs_at(home.root, address):
            return home.root
    return None


def find_last_home(url: str) -> Path | None:
    """Return the data of this user's latest server at a local address.

    It may be stopped. None also where that server had, or the environment names, a
    database or broker that devrag does not start: the folder alone is not the data.
    """
    address = _local_address(url)
    if address is None or has_external_services():
        return None
    from devrag.runtime.registry import list_servers  # noqa: PLC0415

    for server in list_servers():
        if _is_at(address, server.host, server.port):
            return server.home.root if server.is_embedded else None
    return None


def has_external_services() -> bool:
    """Return whether the environment names a database or broker."""
    return any(os.environ.get(name) for name in _EXTERNAL)


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


def _local_address(url: str) -> SplitResult | None:
    """Return an address at which a server of this user may be; None for others."""
    address = urlsplit(url)
    is_possible = is_local(url) and address.scheme == "http" and not address.path
    return address if is_possible else None


def _runs_at(home: Path, address: SplitResult) -> bool:
    from devrag.runtime.layout import Home  # noqa: PLC0415
    from devrag.runtime.pidfile import running_server  # noqa: PLC0415

    try:
        record = running_server(Home(home))
    except ConfigurationError:
        return False  # another user's, or damaged: `server status` there reports it
    return record is not None and _is_at(address, record.host, record.port)


def _is_at(address: SplitResult, host: str, port: int) -> bool:
    """Return whether an address may lead to a server that listens on host and port."""
    if port != (address.port or 80):
        return False
    hosts = (address.hostname or "", host)
    is_any = any(host in (*_ANY_ADDRESS, "localhost") for host in hosts)
    return is_any or hosts[0] == hosts[1]
