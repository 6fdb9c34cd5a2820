"""What a server must not get when its address is in a file that was only found.

The file may belong to a repository of somebody else: secrets of this user are not for
its server. A user at a terminal is asked once; the answer is remembered for that file
with that address.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from devrag.core.errors import InvalidInput
from devrag.core.user_folders import config_folder
from devrag.runtime.private import read_json, write_json

if TYPE_CHECKING:
    from devrag.client.connection import Connection


def ensure_trusted(file: Path, url: str, secret: str) -> None:
    """Raise InvalidInput unless the user trusts the address in a found file.

    secret: what the server would get, for messages.
    """
    entry = {"file": str(file), "url": url}
    if entry in _remembered():
        return
    question = f"{file} names the server {url}, which would get {secret}."
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InvalidInput(
            f"{question} The file was only found here, not named by you. If you trust "
            f"it, give --server {url} or --config {file}, or run the command at a "
            "terminal once to confirm it."
        )
    sys.stderr.write(f"{question}\nType yes to trust it from now on: ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() != "yes":
        raise InvalidInput("Nothing was sent. Give --server URL to use another server.")
    _remember(entry)


def check_trust(server: Connection, secret: str) -> None:
    """Raise InvalidInput unless the server may get a secret: see `ensure_trusted`."""
    if server.found_in is not None:
        ensure_trusted(server.found_in, server.url, secret)


def check_address(server: Connection, location: str) -> str:
    """Return a repository's address; InvalidInput when its login is for others."""
    if _has_login(location):
        host = location.rpartition("@")[2].rpartition("://")[2].partition("/")[0]
        check_trust(server, f"the login in the address of {host}")
    return location


def _has_login(location: str) -> bool:
    """Return whether a secret may be in it; the user name of ssh alone is none."""
    scheme, mark, rest = location.partition("://")
    if not mark:
        is_path = location.startswith(("/", ".", "~"))
        return not is_path and ":" in location.rpartition("@")[0]
    if scheme.lower() == "ssh":
        return ":" in rest.partition("/")[0].rpartition("@")[0]
    # A password may hold a slash, and some hosts take a token behind the path.
    return any(mark in rest for mark in "@?#")


def _remembered() -> list[Any]:
    found = read_json(_path())
    return found if isinstance(found, list) else []


def _remember(entry: dict[str, str]) -> None:
    path = _path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_json(path, [*_remembered(), entry])
    except OSError as error:
        sys.stderr.write(
            f"{path} cannot be written ({error.strerror}): you will be asked again.\n"
        )


def _path() -> Path:
    return config_folder() / "trusted_servers.json"
