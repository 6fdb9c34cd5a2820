"""`.devrag.json`: which server commands talk to, found from where one stands.

Standard library only: it is read before Django, and on laptops without it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devrag.core.errors import ConfigurationError

# The second of each is what the seed called it; both are read.
CONFIG_NAMES = (".devrag.json", ".search-docs.json")
CONFIG_VARIABLES = ("DEVRAG_CONFIG", "SEARCH_DOCS_CONFIG")
DEFAULT_HOST, DEFAULT_PORT = "localhost", 8080
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class ConfigPath:
    """A configuration file; `is_named`: by a person, not found by looking around."""

    path: Path
    is_named: bool


def find_config_file(start_dir: Path, traverse_up: bool = True) -> Path | None:
    """Return the file in a folder or, climbing, in its nearest parent (S3-ADR-015.4-3).

    The root folder is looked at too.
    """
    start = start_dir.absolute()
    for folder in (start, *start.parents) if traverse_up else (start,):
        for name in CONFIG_NAMES:
            if (folder / name).is_file():
                return folder / name
    return None


def resolve_config_path(
    option: str | None = None, *, traverse_up: bool = True
) -> ConfigPath | None:
    """Return the file to read: `--config`, else the environment, else what is found.

    ConfigurationError when a file that was named is not there.
    """
    named = option or next(
        filter(None, (os.environ.get(name) for name in CONFIG_VARIABLES)), None
    )
    if named is None:
        found = find_config_file(Path.cwd(), traverse_up)
        return ConfigPath(found, is_named=False) if found else None
    path = Path(named).expanduser()
    if not path.is_file():
        raise ConfigurationError(
            f"There is no file {named}. Give another --config (or DEVRAG_CONFIG)."
        )
    return ConfigPath(path, is_named=True)


def read_config(path: Path | None) -> dict[str, Any]:
    """Return what a file says; {} when it cannot be read (S3-ADR-015.1)."""
    if path is None:
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def section(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return one part of a configuration, {} when it is missing or no object."""
    found = config.get(name)
    return found if isinstance(found, dict) else {}


def resolve_server_url(option: str | None, config: Mapping[str, Any]) -> str:
    """Return a server's address: the option, else the configuration, else the default.

    T60; in the configuration `server.url` may stand for host and port.
    """
    server = section(config, "server")
    url = option or server.get("url")
    if isinstance(url, str) and url:
        return url.rstrip("/")
    host, port = server.get("host", DEFAULT_HOST), server.get("port", DEFAULT_PORT)
    return f"http://[{host}]:{port}" if ":" in str(host) else f"http://{host}:{port}"


def find_project_root(config: Mapping[str, Any], used: ConfigPath | None) -> Path:
    """Return `project.root`, else the folder of a named file, else where we are (T58).

    Symlinks are resolved and no slash trails.
    """
    root = section(config, "project").get("root")
    folder = used.path.parent if used else Path.cwd()
    if isinstance(root, str) and root:
        return (folder / Path(root).expanduser()).resolve()
    return (folder if used and used.is_named else Path.cwd()).resolve()
