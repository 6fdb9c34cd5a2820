"""Find the configuration file and get the server's address from what it contains.

Standard library only: it is used before Django, and on laptops without it. The file is
read by `devrag.runtime.configuration`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devrag.core.errors import ConfigurationError

# In the order of precedence within a folder.
CONFIG_NAMES = (".devrag.json", ".devrag.yaml", ".devrag.yml", ".search-docs.json")
CONFIG_VARIABLES = ("DEVRAG_CONFIG", "SEARCH_DOCS_CONFIG")
DEFAULT_HOST, DEFAULT_PORT = "localhost", 8080
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class ConfigPath:
    """A configuration file; `is_named`: by a person, not found by looking around."""

    path: Path
    is_named: bool


def find_config_file(start_dir: Path, traverse_up: bool = True) -> Path | None:
    """Return the file in a folder or, climbing, in its nearest parent.

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
            f"File not found: {named}. Choose another file with --config or "
            "DEVRAG_CONFIG."
        )
    return ConfigPath(path, is_named=True)


def ignored_config_files(used: ConfigPath) -> list[Path]:
    """Return the files beside a found one that are not read because it is."""
    beside = (used.path.with_name(name) for name in CONFIG_NAMES)
    return (
        [] if used.is_named else [p for p in beside if p != used.path and p.is_file()]
    )


def names_server(config: Mapping[str, Any]) -> bool:
    """Return whether a configuration contains a server's address."""
    return not {"url", "host", "port"}.isdisjoint(section(config, "server"))


def section(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return one part of a configuration, {} when it is missing or no object."""
    found = config.get(name)
    return found if isinstance(found, dict) else {}


def resolve_server_url(option: str | None, config: Mapping[str, Any]) -> str:
    """Return a server's address: the option, else the configuration, else the default.

    In the configuration `server.url` may stand for host and port.
    """
    server = section(config, "server")
    url = option or server.get("url")
    if isinstance(url, str) and url:
        return url.rstrip("/")
    host, port = server.get("host", DEFAULT_HOST), server.get("port", DEFAULT_PORT)
    return f"http://[{host}]:{port}" if ":" in str(host) else f"http://{host}:{port}"


def find_project_root(config: Mapping[str, Any], used: ConfigPath | None) -> Path:
    """Return `project.root`, else the folder of a named file, else where we are.

    Symlinks are resolved and no slash trails.
    """
    root = section(config, "project").get("root")
    folder = used.path.parent if used else Path.cwd()
    if isinstance(root, str) and root:
        return (folder / Path(root).expanduser()).resolve()
    return (folder if used and used.is_named else Path.cwd()).resolve()
