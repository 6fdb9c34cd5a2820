"""What the configuration says to the server: its port, and what the project is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from devrag.core.config_file import (
    LOCAL_NAMES,
    ConfigPath,
    find_project_root,
    resolve_config_path,
    section,
)
from devrag.runtime.configuration import read_config
from devrag.runtime.pidfile import ServerRecord


def configured_port(default: int) -> int:
    """Return the port of a configuration about this machine.

    default: what the settings say; it wins where the environment sets the port.
    """
    if any(os.environ.get(name) for name in ("DEVRAG_PORT", "HTTP_PORT")):
        return default
    server = section(_config()[1], "server")
    if server.get("url"):
        return _local_port(server["url"]) or default
    is_ours = server.get("host") in (None, *LOCAL_NAMES)
    return int(server["port"]) if is_ours and "port" in server else default


def describe_server(env_file: Path, host: str, port: int) -> ServerRecord:
    """Describe this process as the server of the project it was started for."""
    used, config = _config()
    place = used.path if used else env_file
    return ServerRecord.of_this_process(
        find_project_root(config, used), place, host, port
    )


def _local_port(url: str) -> int | None:
    """Return the port of an address of this machine, None of others."""
    try:
        address = urlsplit(url.rstrip("/"))
        port = address.port
    except ValueError:
        return None
    is_ours = address.scheme == "http" and address.hostname in LOCAL_NAMES
    return port if is_ours and not address.path else None


def _config() -> tuple[ConfigPath | None, dict[str, Any]]:
    """Return the configuration of this folder; parents are not climbed."""
    used = resolve_config_path(traverse_up=False)
    return used, read_config(used)
