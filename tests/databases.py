"""A database for each of xdist's workers, copied from one that is migrated once."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

_TEMPLATE = "test_devrag_template"


def copy_template() -> None:
    """Let this worker's test database start as a copy of the migrated one.

    The first worker migrates it: that takes longer than anything else a worker does
    before its first test.
    """
    own = connection.settings_dict["TEST"]
    with _alone():
        if not _exists(_TEMPLATE):
            _migrate(own)
    own["TEMPLATE"] = _TEMPLATE


@contextmanager
def _alone() -> Iterator[None]:
    """Hold the other workers of this run back."""
    with Path(os.environ["DEVRAG_HOME"], "template.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _exists(name: str) -> bool:
    with connection.creation._nodb_cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        return cursor.fetchone() is not None


def _migrate(own: dict[str, object]) -> None:
    before = connection.settings_dict["NAME"]
    name, own["NAME"] = own["NAME"], _TEMPLATE
    try:
        connection.creation.create_test_db(verbosity=0, autoclobber=True)
        # Nobody may be connected to what is copied.
        connection.creation.destroy_test_db(before, verbosity=0, keepdb=True)
    finally:
        own["NAME"] = name
