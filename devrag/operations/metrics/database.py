"""PostgreSQL, from its own statistics: no table of devrag is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import connection

from devrag.core.metrics import Metric
from devrag.operations.metrics.gauges import counter, gauge, gauges

_STATISTICS = """
SELECT xact_commit, xact_rollback, deadlocks, temp_bytes, blks_hit, blks_read,
  pg_database_size(datid), current_setting('max_connections')::int
FROM pg_stat_database WHERE datname = current_database()
"""
_COUNTERS = (
    ("devrag_postgres_commits_total", "Transactions that committed."),
    ("devrag_postgres_rollbacks_total", "Transactions that were rolled back."),
    ("devrag_postgres_deadlocks_total", "Deadlocks."),
    ("devrag_postgres_temporary_bytes_total", "Bytes of temporary files."),
    ("devrag_postgres_blocks_hit_total", "Blocks found in shared buffers."),
    ("devrag_postgres_blocks_read_total", "Blocks that had to be read."),
)
_CONNECTIONS = """
SELECT coalesce(state, 'unknown'), count(*),
  coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)::float
FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() GROUP BY 1
"""
# Estimates of the planner and of autovacuum. Partitions count with their table.
_ROWS = """
SELECT sum(c.reltuples) FILTER (WHERE c.relname = 'sources_chunk' AND c.reltuples > 0),
  sum(c.reltuples)
    FILTER (WHERE c.relname LIKE 'search_embedding\\_%%' AND c.reltuples > 0)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname = current_schema()
"""
_DEAD = "SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables"


def describe_database() -> Iterator[Metric]:
    """Yield activity, connections, size and estimated rows. Queries: 4."""
    with connection.cursor() as cursor:
        *counts, size, most = _row(cursor, _STATISTICS)
        for (name, text), value in zip(_COUNTERS, counts, strict=True):
            yield counter(name, text, value)
        yield gauge("devrag_postgres_size_bytes", "Size of the database.", size)
        yield gauge(
            "devrag_postgres_max_connections", "Connections that it allows.", most
        )
        yield from _connections(cursor)
        chunks, vectors = _row(cursor, _ROWS)
        yield gauges(
            "devrag_postgres_rows",
            "Estimated rows of the largest tables.",
            "table",
            {"chunks": chunks or 0, "vectors": vectors or 0},
        )
        (dead,) = _row(cursor, _DEAD)
        yield gauge("devrag_postgres_dead_rows", "Rows that vacuum has to free.", dead)


def _connections(cursor: Any) -> Iterator[Metric]:
    cursor.execute(_CONNECTIONS)
    rows = cursor.fetchall()
    yield gauges(
        "devrag_postgres_connections",
        "Connections to the database, by state.",
        "state",
        {state: count for state, count, _age in rows},
    )
    yield gauge(
        "devrag_postgres_oldest_transaction_seconds",
        "Age of the oldest transaction.",
        max((age for _state, _count, age in rows), default=0.0),
    )


def _row(cursor: Any, statement: str) -> tuple[Any, ...]:
    cursor.execute(statement)
    row: tuple[Any, ...] = cursor.fetchone()
    return row
