"""The web process's connections: giving them back, and after the database was away.

Imported by the settings: standard library only.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from psycopg_pool import ConnectionPool

_MOMENT_SECONDS = 0.001


def release_connections() -> None:
    """Give this thread's connections back before a wait; others need them.

    Those in a transaction are kept.
    """
    from django.db import connections  # noqa: PLC0415 - needs the settings

    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()


def try_again(pool: ConnectionPool[Any]) -> None:
    """Let the pool connect anew when it gave up; its callback `reconnect_failed`.

    By itself it would wait for the next request, and those that wait already would
    wait for nothing.
    """
    from psycopg_pool import PoolClosed, PoolTimeout  # noqa: PLC0415 - of the web only

    with suppress(PoolTimeout, PoolClosed):
        pool.putconn(pool.getconn(timeout=_MOMENT_SECONDS))
