"""Empty the test database quickly: most tables are empty, most others nearly so."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from psycopg import sql

# Each test finds them as migrations left them; to write them again takes longest.
_KEPT = {"django_content_type", "auth_permission"}
_DELETE_ROWS = """
DO $$ DECLARE name text; BEGIN
    FOREACH name IN ARRAY {tables}::text[] LOOP
        EXECUTE format('DELETE FROM %I', name);
    END LOOP;
END $$
"""


def sql_flush(
    _operations: Any, _style: Any, tables: Iterable[str], **_: Any
) -> list[str]:
    """Return SQL that deletes all rows; Django's TRUNCATE makes new files of each.

    One transaction: its foreign keys are checked at the end.
    """
    names = sorted(set(tables) - _KEPT)
    return [sql.SQL(_DELETE_ROWS).format(tables=sql.Literal(names)).as_string()]
