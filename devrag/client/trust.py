"""What a server must not get when a file that was only found here names it.

It may have come with somebody's repository: secrets of other hosts are not for it.
"""

from __future__ import annotations

from devrag.client.connection import Connection
from devrag.core.errors import InvalidInput


def check_trust(server: Connection, secret: str) -> None:
    """Raise InvalidInput unless a person named the server. secret: what it gets."""
    if server.found_in is not None:
        raise InvalidInput(
            f"{server.found_in} names the server {server.url}, but was only found "
            f"here: it would get {secret}. If you trust it, give --server {server.url}."
        )


def check_address(server: Connection, location: str) -> str:
    """Return a repository's address; InvalidInput when its login is for others."""
    if _has_login(location):
        host = location.rpartition("@")[2].rpartition("://")[2].partition("/")[0]
        check_trust(server, f"the login in the address of {host}")
    return location


def _has_login(location: str) -> bool:
    """Say whether a secret may stand in it; the name alone that ssh wants is none."""
    scheme, mark, rest = location.partition("://")
    if not mark:
        is_path = location.startswith(("/", ".", "~"))
        return not is_path and ":" in location.rpartition("@")[0]
    if scheme.lower() == "ssh":
        return ":" in rest.partition("/")[0].rpartition("@")[0]
    # A password may hold a slash, and some hosts take a token behind the path.
    return any(mark in rest for mark in "@?#")
