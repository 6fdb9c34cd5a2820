"""What a server must not get when its address is in a file that was only found.

The file may belong to a repository of somebody else: what this user searches for, and
secrets above all, are not for its server. A user at a terminal is asked once; the
answer is remembered for that file with that address.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from devrag.core.errors import ConfigurationError, InvalidInput
from devrag.core.text import one_line
from devrag.core.user_folders import config_folder
from devrag.runtime.configuration import warn
from devrag.runtime.state_files import read_json, write_json

if TYPE_CHECKING:
    from devrag.cli.remote.connection import Connection


def ensure_trusted(file: Path, url: str, content: str) -> None:
    """Raise InvalidInput unless the user trusts the address in a found file.

    content: what the server would get, for messages.
    """
    if _entry(file, url) in _remembered():
        return
    question = one_line(
        f"{file} names the server {url}, which would receive {content}."
    )
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InvalidInput(
            f"{question} The file was found in a folder, not named by you. If you "
            f"trust the server, use --server {url} or --config {file}, or run the "
            "command once in a terminal to confirm it."
        )
    sys.stderr.write(
        f"{question}\nType yes to trust this server from now on, including with your "
        "tokens: "
    )
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() != "yes":
        raise InvalidInput(
            "Nothing was sent. Use --server URL to choose another server."
        )
    remember_trust(file, url)


def remember_trust(file: Path, url: str) -> None:
    """Remember that the user trusts the address in a file.

    Where that cannot be written, a warning on stderr says so.
    """
    entry = _entry(file, url)
    try:
        path, others = _path(), [each for each in _remembered() if each != entry]
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_json(path, [*others, entry])
    except (OSError, ConfigurationError) as error:
        warn(
            f"Your answer could not be stored ({error}); you will be asked about "
            f"{url} again."
        )


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


def _entry(file: Path, url: str) -> dict[str, str]:
    return {"file": str(file), "url": url}


def _path() -> Path:
    return config_folder() / "trusted_servers.json"
