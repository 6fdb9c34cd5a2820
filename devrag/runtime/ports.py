"""Free TCP ports for the embedded services."""

from __future__ import annotations

import secrets
import socket

from devrag.core.errors import ServiceError

LOOPBACK = "127.0.0.1"
# Below the range from which kernels take ports for outgoing connections: a kept port
# must not be lost to one of those between two starts.
_RANGE = range(20_000, 32_000)


def is_port_free(host: str, port: int) -> bool:
    """Return whether a server could listen there now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # What servers set too: a closed connection in TIME_WAIT blocks nobody.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True


def choose_port(kept: int | None) -> int:
    """Return the kept port while nobody else has it, otherwise a random free one."""
    if kept is not None and is_port_free(LOOPBACK, kept):
        return kept
    for _ in range(100):
        port = secrets.choice(_RANGE)
        if is_port_free(LOOPBACK, port):
            return port
    raise ServiceError(
        f"No free port found on {LOOPBACK} between {_RANGE[0]} and {_RANGE[-1]}. Stop "
        "programs that use these ports, or set DATABASE_URL and REDIS_URL."
    )
