"""Bring the database to this version of devrag: checks, a backup, migrations, and back.

The former state is in a backup that the former version can restore; `run/upgrade.json`
says where. Nothing else may write meanwhile.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from devrag import __version__
from devrag.core.errors import Conflict, InvalidInput
from devrag.operations.backup import read_manifest, restore_backup, write_backup
from devrag.operations.findings import DoctorFinding
from devrag.operations.whole_migration import (
    applied_migrations,
    migrate_whole,
    waiting_migrations,
)
from devrag.runtime.api import Database, known_migrations
from devrag.runtime.layout import Home
from devrag.runtime.state_files import read_json, write_json

_OLDEST_POSTGRES = 170_000
# Beside the backup: what migrations write until they commit.
_SPARE_BYTES = 500_000_000
_OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND application_name = 'devrag'
  AND pid <> pg_backend_pid() AND usename = current_user
"""


@dataclass(frozen=True, slots=True)
class Upgraded:
    """What an upgrade did. backup: None when it was left out or nothing waited."""

    migrations: tuple[str, ...]
    backup: Path | None


def check_upgrade(backup: Path | None) -> Iterator[DoctorFinding]:
    """Yield what has to be right before. backup: where one will be written."""
    unknown = applied_migrations() - known_migrations()
    if unknown:
        yield DoctorFinding(
            "database",
            "broken",
            f"it is of a newer devrag ({min(unknown)} is not known here)",
            "Install that version, or restore a backup of this one.",
        )
    else:
        waiting = len(waiting_migrations())
        yield DoctorFinding("database", "ok", f"{waiting} migrations wait")
    yield _postgres()
    yield _others()
    if backup is not None:
        yield _disk(backup)


def upgrade(home: Home, database: Database, backup: Path | None) -> Upgraded:
    """Check, back up and migrate; all migrations are applied or none.

    Raises Conflict, with nothing changed, where a check fails.
    """
    broken = [each for each in check_upgrade(backup) if each.state == "broken"]
    if broken:
        said = " ".join(f"{each.name}: {each.detail}. {each.advice}" for each in broken)
        raise Conflict(f"Nothing was changed. {said}")
    if not waiting_migrations():
        return Upgraded((), None)
    if backup is not None:
        _back_up(home, database, backup)
    return Upgraded(tuple(migrate_whole()), backup)


def default_backup(home: Home) -> Path:
    """Return a name that says of when it is."""
    moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return home.root / "backups" / f"before-{__version__}-{moment}.devrag"


def last_backup(home: Home) -> Path:
    """Return the backup of the last upgrade; InvalidInput when there is none."""
    path = Path(_record(home).get("backup", ""))
    if not path.is_file():
        raise InvalidInput(
            "There is no backup of an upgrade here. Restore another one with `devrag "
            "restore FILE`."
        )
    return path


def roll_back(home: Home, database: Database, passphrase: str | None) -> Path:
    """Put back what the last upgrade backed up; return the file, which stays."""
    path = last_backup(home)
    read_manifest(path, known_migrations(), passphrase=passphrase)
    connection.close()
    restore_backup(path, home, database, passphrase=passphrase)
    return path


def _back_up(home: Home, database: Database, target: Path) -> None:
    """Write the backup and note it; that of an upgrade that got no further goes."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = _record(home)
    applied = sorted(applied_migrations() & known_migrations())
    passphrase = settings.BACKUP_PASSPHRASE or None
    write_backup(target, home, database, applied, passphrase=passphrase)
    write_json(_path(home), {"backup": str(target), "migrations": applied})
    if before.get("migrations") == applied and before["backup"] != str(target):
        Path(before["backup"]).unlink(missing_ok=True)


def _record(home: Home) -> dict[str, Any]:
    found: dict[str, Any] = read_json(_path(home)) or {}
    return found


def _path(home: Home) -> Path:
    return home.run / "upgrade.json"


def _postgres() -> DoctorFinding:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int")
        version = cursor.fetchone()[0]
    if version < _OLDEST_POSTGRES:
        advice = "Upgrade PostgreSQL to 17 or newer first."
        return DoctorFinding("PostgreSQL", "broken", f"it is {version}", advice)
    return DoctorFinding("PostgreSQL", "ok", str(version // 10_000))


def _others() -> DoctorFinding:
    with connection.cursor() as cursor:
        cursor.execute(_OTHERS)
        count = cursor.fetchone()[0]
    if count:
        advice = "Stop web, workers, beat and follower first."
        detail = f"{count} connections of devrag are open"
        return DoctorFinding("processes", "broken", detail, advice)
    return DoctorFinding("processes", "ok", "none uses the database")


def _disk(backup: Path) -> DoctorFinding:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        needed = cursor.fetchone()[0] + _SPARE_BYTES
    folder = next(path for path in backup.absolute().parents if path.exists())
    free = shutil.disk_usage(folder).free
    detail = (
        f"{free / 1e9:.1f} GB free in {folder}, {needed / 1e9:.1f} GB may be needed"
    )
    if free < needed:
        advice = "Free some, or give another place with --backup FILE."
        return DoctorFinding("disk", "broken", detail, advice)
    return DoctorFinding("disk", "ok", detail)
