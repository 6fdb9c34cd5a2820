"""Bulk rows by COPY: the fast way into PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models
from psycopg import sql


def reserve_ids(model: type[models.Model], count: int) -> list[int]:
    """Take `count` fresh primary keys of a table, in ascending order."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) "
            "FROM generate_series(1, %s)",
            [model._meta.db_table, count],
        )
        return [row[0] for row in cursor.fetchall()]


def copy_rows(
    table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Append rows to a table; lists become arrays, Jsonb values JSON."""
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
