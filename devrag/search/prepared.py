"""Statements that each connection plans once: planning costs more than answering."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.db import connection
from django.db.backends.utils import CursorDebugWrapper, CursorWrapper


@contextmanager
def prepared_cursor() -> Iterator[CursorWrapper]:
    """Yield a cursor that sends values apart from statements, which are kept.

    For statements of a few shapes; see `prepare_threshold` in the settings.
    """
    connection.ensure_connection()
    with psycopg.Cursor(connection.connection) as cursor:
        wrapper = CursorDebugWrapper if connection.queries_logged else CursorWrapper
        yield wrapper(cursor, connection)
