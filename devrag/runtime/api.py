"""What other packages use of the runtime: database access, health, the server."""

from __future__ import annotations

from devrag.runtime.database_access import (
    applied_migrations,
    known_migrations,
    own_home,
    reached_database,
)
from devrag.runtime.health import check_server_health, is_server_ready, server_url
from devrag.runtime.pg_tools import Database

__all__ = [
    "Database",
    "applied_migrations",
    "check_server_health",
    "is_server_ready",
    "known_migrations",
    "own_home",
    "reached_database",
    "server_url",
]
