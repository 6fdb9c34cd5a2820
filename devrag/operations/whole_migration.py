"""Apply all waiting migrations or none of them.

PostgreSQL changes tables in transactions too: where a migration fails, the disk is full
or the process is killed, the database is what it was, and the former version of devrag
works with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

# What a migration left to check at the end would keep the next from changing a table.
_CHECK_NOW = "SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED"


def waiting_migrations() -> Sequence[Migration]:
    """Return the migrations that are not applied, in their order."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [migration for migration, _is_backwards in plan]


def applied_migrations() -> set[str]:
    """Return `app.name` of all that the database has."""
    applied = MigrationRecorder(connection).applied_migrations()
    return {f"{app}.{name}" for app, name in applied}


def migrate_whole() -> Sequence[str]:
    """Apply what waits in one transaction; return its names.

    Migrations that cannot run in one (`atomic = False`) commit on their own, and what
    comes before and after them together.
    """
    waiting = waiting_migrations()
    for is_atomic, group in groupby(waiting, key=lambda migration: migration.atomic):
        names = {(each.app_label, each.name) for each in group}
        if is_atomic:
            with transaction.atomic():
                _apply(names)
        else:
            _apply(names)
    # Types of content and permissions, which Django makes after each migration.
    call_command("migrate", interactive=False, verbosity=0)
    return [f"{each.app_label}.{each.name}" for each in waiting]


def _apply(names: set[tuple[str, str]]) -> None:
    executor = MigrationExecutor(connection, _check_constraints)
    executor.loader.check_consistent_history(connection)
    targets = executor.loader.graph.leaf_nodes()
    plan = [
        step
        for step in executor.migration_plan(targets)
        if (step[0].app_label, step[0].name) in names
    ]
    executor.migrate(targets, plan=plan)


def _check_constraints(action: str, *_what: Any) -> None:
    if action == "apply_start" and connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute(_CHECK_NOW)
