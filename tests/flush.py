"""Empty the test database quickly: most tables are empty, most others nearly so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.management.commands import flush
from django.db.backends.postgresql.operations import DatabaseOperations
from psycopg import sql

# Each test finds them as migrations left them; to write them again takes longest.
_KEPT = {"django_content_type", "auth_permission"}
_DELETE_ROWS = """
DO $$ DECLARE name text; BEGIN
    ALTER TABLE audit_auditevent DISABLE TRIGGER USER;
    FOREACH name IN ARRAY {tables}::text[] LOOP
        EXECUTE format('DELETE FROM %I', name);
    END LOOP;
    ALTER TABLE audit_auditevent ENABLE TRIGGER USER;
END $$
"""


@contextmanager
def quick_flush() -> Iterator[None]:
    """Let Django empty the database between tests in this way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", _sql_flush)
        # Nothing to do again: what migrations write at their end is kept.
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_: None)
        yield


def _sql_flush(
    _operations: Any, _style: Any, tables: Iterable[str], **_: Any
) -> list[str]:
    """Return SQL that deletes all rows; Django's TRUNCATE makes new files of each.

    One transaction: its foreign keys are checked at the end.
    """
    names = sorted(set(tables) - _KEPT)
    return [sql.SQL(_DELETE_ROWS).format(tables=sql.Literal(names)).as_string()]
