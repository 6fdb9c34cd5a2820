"""Bulk rows by COPY: the fast way into PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection
from psycopg import sql

from devrag.core.timings import timed


def copy_rows(
    table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Append rows to a table; lists of text become arrays, Jsonb values JSON.

    Raises Django's database errors, as every other statement does: a COPY goes past
    Django, and a lost connection must look like one to whoever tries again.
    """
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    errors = connection.wrap_database_errors
    cursor = connection.cursor()
    with timed("write"), errors, cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row([array_literal(v) if type(v) is list else v for v in row])


def array_literal(texts: list[str]) -> str:
    """Return PostgreSQL's text of an array.

    psycopg's own adapter looks at each element's type: half of a COPY's time.
    """
    if not texts:
        return "{}"
    escaped = (text.replace("\\", "\\\\").replace('"', '\\"') for text in texts)
    return '{"' + '","'.join(escaped) + '"}'
