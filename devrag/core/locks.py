"""Locks that PostgreSQL holds for all processes of all hosts."""

from __future__ import annotations

from django.db import connection


def lock_until_commit(name: str) -> None:
    """Wait for a lock of this name, and hold it until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
