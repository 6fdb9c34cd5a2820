"""What an upgrade looks at: whether it can begin, and what it must not have changed."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from psycopg import sql

from devrag.access.models import ApiToken
from devrag.jobs.models import OPEN_STATES, Job
from devrag.operations.consistency_checks import rows, vectors
from devrag.operations.findings import DoctorFinding
from devrag.products.models import Membership, Product
from devrag.runtime.layout import Home
from devrag.sources.models import Source
from devrag.wiki.models import Page, Version

_OLDEST_SERVER, _OLDEST_VECTOR = 17, (0, 8)
_SPARE_BYTES = 500_000_000
# Nothing else can bring these back; a migration that drops some would say so here.
_KEPT = (User, Product, Membership, Source, ApiToken, Version, Page)
_CHECKS = (*rows.CHECKS, *vectors.CHECKS)


@dataclass(frozen=True, slots=True)
class Schema:
    """The database against this version, as `app.name` of migrations.

    pending: in their order. unknown: applied by a newer devrag. contradiction: why the
    recorded migrations cannot be right, if they cannot.
    """

    pending: tuple[str, ...]
    unknown: tuple[str, ...]
    contradiction: str = ""


@dataclass(frozen=True, slots=True)
class DataState:
    """Numbers of rows by table, and what was inconsistent by check."""

    rows: Mapping[str, int]
    disagreements: Mapping[str, frozenset[str]]

    def losses(self, after: DataState) -> list[str]:
        """Return what is worse afterwards, each as a phrase."""
        fewer = [
            f"{table} has {after.rows[table]:,} rows instead of {count:,}"
            for table, count in self.rows.items()
            if after.rows.get(table, 0) < count
        ]
        new = [
            f"{name}: {', '.join(sorted(added))}"
            for name, found in after.disagreements.items()
            if (added := found - self.disagreements[name])
        ]
        return fewer + new


def read_schema() -> Schema:
    """Compare the migrations of the database with those of this version."""
    executor = MigrationExecutor(connection)
    loader = executor.loader
    plan = executor.migration_plan(loader.graph.leaf_nodes())
    known = set(loader.disk_migrations)
    for migration in loader.disk_migrations.values():
        known.update((app, name) for app, name in migration.replaces)
    apps = {app for app, _ in known}
    applied = MigrationRecorder(connection).applied_migrations()
    unknown = {key for key in applied if key[0] in apps} - known
    return Schema(
        pending=tuple(f"{step.app_label}.{step.name}" for step, _ in plan),
        unknown=tuple(sorted(f"{app}.{name}" for app, name in unknown)),
        contradiction=_contradiction(loader),
    )


def _contradiction(loader: MigrationLoader) -> str:
    try:
        loader.check_consistent_history(connection)
    except InconsistentMigrationHistory as error:
        return str(error)
    return ""


def read_state() -> DataState:
    """Count what must stay; checks that this schema is too old for find nothing."""
    tables = [model._meta.db_table for model in _KEPT]
    counts = {table: _count(table) for table in tables if _exists(table)}
    found = {check.name: _find(check.find) for check in _CHECKS}
    return DataState(counts, found)


def examine_upgrade(
    home: Home, folder: Path, schema: Schema
) -> Iterator[DoctorFinding]:
    """Yield a finding for each thing that an upgrade depends on.

    folder: where the backup is to be written.
    """
    yield _describe_schema(schema)
    yield _describe_server()
    yield _describe_disk(home, folder)
    yield _describe_rollback()
    yield _describe_jobs()
    yield _describe_consistency()


def other_connections() -> list[str]:
    """Return the programs that use the database besides this one, by their names."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT coalesce(nullif(application_name, ''), 'unknown') || "
            "coalesce(' at ' || host(client_addr), '') FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend' ORDER BY 1"
        )
        return [row[0] for row in cursor.fetchall()]


def _describe_schema(schema: Schema) -> DoctorFinding:
    if schema.unknown:
        return DoctorFinding(
            "schema",
            "broken",
            f"the database was upgraded by a newer devrag ({schema.unknown[-1]})",
            "Install that version again, or restore a backup of this one.",
        )
    if schema.contradiction:
        advice = "Restore a backup of the former version."
        return DoctorFinding("schema", "broken", schema.contradiction, advice)
    if not schema.pending:
        return DoctorFinding("schema", "ok", "all migrations are applied")
    detail = f"{len(schema.pending)} to apply: {', '.join(schema.pending)}"
    return DoctorFinding("schema", "ok", detail)


def _describe_server() -> DoctorFinding:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('server_version_num')::int / 10000, "
            "(SELECT extversion FROM pg_extension WHERE extname = 'vector')"
        )
        major, vector = cursor.fetchone()
    detail = f"PostgreSQL {major}, pgvector {vector or 'not installed'}"
    if major < _OLDEST_SERVER:
        advice = f"Move the data to PostgreSQL {_OLDEST_SERVER} or newer first."
        return DoctorFinding("database version", "broken", detail, advice)
    if vector and tuple(map(int, vector.split(".")[:2])) < _OLDEST_VECTOR:
        advice = "Run `ALTER EXTENSION vector UPDATE` as an administrator first."
        return DoctorFinding("database version", "broken", detail, advice)
    return DoctorFinding("database version", "ok", detail)


def _describe_disk(home: Home, folder: Path) -> DoctorFinding:
    """A backup, and embedded also a second database while one is restored."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        (size,) = cursor.fetchone()
    needed = size * (3 if settings.IS_EMBEDDED_DATABASE else 1) + _SPARE_BYTES
    needed += sum(p.stat().st_size for p in home.uploads.rglob("*") if p.is_file())
    place = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(place).free
    detail = f"{free / 1e9:.1f} GB free at {place}, up to {needed / 1e9:.1f} GB needed"
    if free < needed:
        advice = "Free some space, or write the backup elsewhere with --backup FILE."
        return DoctorFinding("disk", "broken", detail, advice)
    return DoctorFinding("disk", "ok", detail)


def _describe_rollback() -> DoctorFinding:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper OR (rolcreatedb AND pg_has_role(d.datdba, 'USAGE')) "
            "FROM pg_roles, pg_database d "
            "WHERE rolname = current_user AND d.datname = current_database()"
        )
        (is_possible,) = cursor.fetchone()
    if not is_possible:
        return DoctorFinding(
            "rollback",
            "broken",
            "the database role cannot restore a backup",
            "Make it the owner of the database with CREATEDB, or write a backup and "
            "run `devrag prepare` instead.",
        )
    return DoctorFinding("rollback", "ok", "the database role can restore a backup")


def _describe_jobs() -> DoctorFinding:
    table = Job._meta.db_table
    count = 0
    if _exists(table):
        with connection.cursor() as cursor:
            query = sql.SQL("SELECT count(*) FROM {} WHERE state = ANY(%s)")
            cursor.execute(query.format(sql.Identifier(table)), [list(OPEN_STATES)])
            (count,) = cursor.fetchone()
    if count:
        detail = f"{count} unfinished: they are interrupted and resumed afterwards"
        return DoctorFinding("jobs", "note", detail)
    return DoctorFinding("jobs", "ok", "no unfinished jobs")


def _describe_consistency() -> DoctorFinding:
    found = {name for name, rows in read_state().disagreements.items() if rows}
    if found:
        advice = "`devrag doctor --repair` repairs it, before or after the upgrade."
        return DoctorFinding("consistency", "note", ", ".join(sorted(found)), advice)
    return DoctorFinding("consistency", "ok", "rows and vectors are consistent")


def _find(find: Callable[[], Sequence[object]]) -> frozenset[str]:
    try:
        with transaction.atomic():
            return frozenset(map(str, find()))
    except DatabaseError:
        return frozenset()  # it asks for what the pending migrations add


def _exists(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [table])
        return bool(cursor.fetchone()[0])


def _count(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table)))
        return int(cursor.fetchone()[0])
