"""Bring the database to this version: a backup, the migrations, a check, or all back.

Nobody else may use the database meanwhile. `run/upgrade.json` names the backup until
the end, so that an upgrade that was cut off goes on with the backup of its beginning.
"""

from __future__ import annotations

import getpass
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from devrag import __version__
from devrag.core.errors import Conflict, DevragError, ServiceError
from devrag.operations.backup import read_manifest, restore_backup, write_backup
from devrag.operations.backup_events import note_restore
from devrag.operations.upgrade_checks import (
    DataState,
    other_connections,
    read_schema,
    read_state,
)
from devrag.runtime.api import Database, applied_migrations, known_migrations
from devrag.runtime.layout import Home, Say
from devrag.runtime.state_files import read_json, write_json

_STATE = "upgrade.json"


@dataclass(frozen=True, slots=True)
class Upgraded:
    """What an upgrade did. applied: `app.name` of migrations."""

    applied: Sequence[str]
    backup: Path


def default_backup(home: Home) -> Path:
    """Return where the backup of an upgrade that begins now is written."""
    now = datetime.now(UTC)
    return home.backups / f"before-{__version__}-{now:%Y%m%d-%H%M%S}.devrag"


def interrupted_backup(home: Home) -> Path | None:
    """Return the backup of an upgrade that did not come to its end."""
    state = read_json(home.run / _STATE)
    return Path(state["backup"]) if state else None


def upgrade_database(
    home: Home, database: Database, target: Path, say: Say
) -> Upgraded:
    """Write a backup, apply all migrations and check; on any failure restore it.

    Raises Conflict, having changed nothing, while others use the database, and
    ServiceError after a failure.
    """
    if others := other_connections():
        raise Conflict(
            f"The database is in use by {', '.join(others)}; nothing was changed. Stop "
            "all processes of devrag first: on one machine with `devrag server stop`, "
            "in containers with `docker compose stop web worker writer reader embed "
            "beat follower watch`."
        )
    pending = read_schema().pending
    backup = _begin(home, database, target, say)
    before = read_state()

    def migrate() -> None:
        say(f"applying {len(pending)} migrations")
        call_command("migrate", interactive=False, verbosity=0)
        say("checking the data")
        _check(before)

    undoing_failures(home, database, backup, say, migrate)
    return Upgraded(pending, backup)


def undoing_failures(
    home: Home, database: Database, backup: Path, say: Say, act: Callable[[], None]
) -> None:
    """Do something that belongs to an upgrade; restore the backup when it fails."""
    try:
        act()
    except BaseException as error:
        reason = _reason(error)
        say(f"the upgrade failed ({reason}); restoring the backup")
        roll_back(home, database, backup)
        raise ServiceError(
            f"The upgrade failed: {reason}. The data was restored to its state before "
            f"the upgrade; {backup} is kept. Install the former version of devrag "
            "again and start it: this version would apply the migrations again."
        ) from error


def roll_back(home: Home, database: Database, backup: Path) -> None:
    """Restore the backup of an upgrade; others lose their connections."""
    connection.close()
    try:
        manifest = read_manifest(backup, known_migrations())
        restore_backup(backup, home, database, is_ending_others=True)
    except DevragError as error:
        raise ServiceError(
            f"The upgrade failed, and its backup could not be restored: "
            f"{error.message} Do not start devrag. Solve this, then run `devrag "
            f"restore {backup}`."
        ) from error
    note_restore(
        home,
        {
            "file": backup.name,
            "createdAt": manifest.createdAt,
            "restoredAt": timezone.now().isoformat(timespec="seconds"),
            "osUser": getpass.getuser(),
        },
    )
    finish(home)


def finish(home: Home) -> None:
    """Forget the upgrade: it is complete, or undone."""
    (home.run / _STATE).unlink(missing_ok=True)


def _begin(home: Home, database: Database, target: Path, say: Say) -> Path:
    """Return the backup of this upgrade's beginning, written now unless it exists."""
    former = interrupted_backup(home)
    if former is not None and former.is_file():
        say(f"continuing an interrupted upgrade, whose backup is {former}")
        return former
    say(f"writing the backup {target}")
    target.parent.mkdir(0o700, parents=True, exist_ok=True)
    write_backup(target, home, database, applied_migrations())
    read_manifest(target, known_migrations())  # what cannot be read is of no use
    write_json(home.run / _STATE, {"backup": str(target), "version": __version__})
    return target


def _check(before: DataState) -> None:
    """Raise ServiceError when rows are missing or newly inconsistent."""
    if left := read_schema().pending:
        raise ServiceError(f"these migrations were not applied: {', '.join(left)}")
    if losses := before.losses(read_state()):
        raise ServiceError(f"the data changed: {'; '.join(losses)}")


def _reason(error: BaseException) -> str:
    if isinstance(error, DevragError):
        return error.message.rstrip(".")
    lines = str(error).strip().splitlines()
    said = f": {lines[0].rstrip('.')}" if lines else ""
    return f"{type(error).__name__}{said}"
