"""Addresses of services in settings: refused with a reason, never repeated.

They may hold a password, so no message shows any part of them.
"""

from __future__ import annotations

from ipaddress import ip_network
from urllib.parse import SplitResult, urlsplit

from environs import ValidationError

_DATABASE = "postgres://user:password@host:5432/name"
_BROKER = "redis://:password@host:6379/0"


def check_database_url(url: str) -> None:
    """Raise ValidationError unless empty or the address of a PostgreSQL database."""
    parts = _split(url, {"postgres", "postgresql"}, _DATABASE)
    if parts is not None and not parts.path.strip("/"):
        raise ValidationError(f"The URL names no database. Use the form {_DATABASE}.")


def check_redis_url(url: str) -> None:
    """Raise ValidationError unless empty or the address of a Redis or Valkey."""
    _split(url, {"redis", "rediss"}, _BROKER)


def check_networks(names: list[str]) -> None:
    """Raise ValidationError unless all are IP addresses or networks."""
    for name in names:
        try:
            ip_network(name)
        except ValueError as error:
            raise ValidationError(
                f"'{name}' is not an IP address or network. Use an address, or a "
                "network such as 10.0.0.0/8."
            ) from error


def _split(url: str, schemes: set[str], example: str) -> SplitResult | None:
    """Take a URL apart; None when it is empty, which means: use the embedded one."""
    if not url:
        return None
    try:
        parts = urlsplit(url)
        is_whole = bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, or a broken host
        is_whole = False
    if not is_whole or parts.scheme not in schemes:
        raise ValidationError(
            f"Invalid URL. Use the form {example}, with special characters in the "
            "password percent-encoded (@ as %40)."
        )
    return parts
