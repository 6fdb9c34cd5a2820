"""Backups in the audit log, also where the database has no such table yet.

What is restored may be older than the log: a note beside the database says what was
restored until `prepare` has brought the tables up to date.
"""

from __future__ import annotations

from typing import Any

from django.db import connection, transaction

from devrag.audit.api import record_event
from devrag.runtime.layout import Home
from devrag.runtime.state_files import read_json, write_json

_NOTE = "restored.json"


def record_backup(details: dict[str, Any]) -> None:
    """Record that a backup was written; not where nothing can be recorded yet."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('audit_auditevent')")
        if cursor.fetchone() != (None,):
            record_event("backup.written", details=details)
    connection.close()  # an embedded database may stop now


def note_restore(home: Home, details: dict[str, Any]) -> None:
    """Keep what was restored until it can be recorded."""
    write_json(home.run / _NOTE, details)


def record_restore(home: Home) -> None:
    """Record what was restored since the last start, if anything."""
    path = home.run / _NOTE
    details = read_json(path)
    if not details:
        return
    with transaction.atomic():
        record_event("backup.restored", details=details)
    path.unlink(missing_ok=True)
