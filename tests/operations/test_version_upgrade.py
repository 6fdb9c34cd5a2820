"""From the first state of all tables to this version, with data, whatever fails.

Each test has a database of its own, copied from one in which every application is at
its first migration.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import Error as DatabaseFailure
from django.db import connection, migrations
from django.db.migrations.executor import MigrationExecutor
from pytest_django.plugin import DjangoDbBlocker

from devrag.core.errors import Conflict, ServiceError
from devrag.operations import version_upgrade
from devrag.operations.backup import read_manifest
from devrag.operations.version_upgrade import (
    check_upgrade,
    last_backup,
    roll_back,
    upgrade,
)
from devrag.operations.whole_migration import (
    applied_migrations,
    migrate_whole,
    waiting_migrations,
)
from devrag.products.models import Product
from devrag.runtime.api import Database, known_migrations
from devrag.runtime.layout import Home
from devrag.sources.models import Source
from tests.waiting import wait_until

TEMPLATE, COPY = "devrag_first_state", "devrag_upgraded"


@pytest.fixture(scope="module")
def first_state(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """A database of the first migrations, with a product and a source."""
    with django_db_blocker.unblock(), _Named(TEMPLATE):
        executor = MigrationExecutor(connection)
        firsts = [
            key
            for key in executor.loader.graph.nodes
            if key[1].startswith("0001") and key[0] in _own_labels()
        ]
        executor.migrate(firsts)
        with connection.cursor() as cursor:
            _insert(cursor, "products_product", name="shop", title="The shop")
            cursor.execute("SELECT id FROM products_product")
            (product,) = cursor.fetchone()
            table = Source._meta.db_table
            _insert(cursor, table, name="code", source_type="git", product_id=product)
        yield


def _own_labels() -> set[str]:
    return {name.split(".")[-1] for name in settings.INSTALLED_APPS if "devrag" in name}


def _insert(cursor: Any, table: str, **values: Any) -> None:
    """Insert a row; columns that must have something get it by their type."""
    cursor.execute(
        "SELECT column_name, data_type FROM information_schema.columns "
        "WHERE table_name = %s AND is_nullable = 'NO' AND column_default IS NULL "
        "AND is_identity = 'NO'",
        [table],
    )
    empty = {
        "boolean": False,
        "timestamp with time zone": "now",
        "jsonb": "{}",
        "uuid": "00000000-0000-0000-0000-000000000001",
    }
    for name, kind in cursor.fetchall():
        text = "" if kind.startswith(("char", "text")) else 0
        values.setdefault(name, empty.get(kind, text))
    names = ", ".join(f'"{name}"' for name in values)
    places = ", ".join(["%s"] * len(values))
    cursor.execute(
        f"INSERT INTO {table} ({names}) VALUES ({places})", [*values.values()]
    )


class _Named:
    """Make a database, lead Django's connection to it, and drop it in the end."""

    def __init__(self, name: str, template: str = "template1") -> None:
        self.name, self.template = name, template

    def __enter__(self) -> None:
        connection.close()
        self.before = connection.settings_dict["NAME"]
        self._on_server("DROP DATABASE IF EXISTS {} WITH (FORCE)")
        self._on_server("CREATE DATABASE {} TEMPLATE " + self.template)
        connection.settings_dict["NAME"] = self.name

    def __exit__(self, *_failure: object) -> None:
        connection.close()
        connection.settings_dict["NAME"] = self.before
        self._on_server("DROP DATABASE IF EXISTS {} WITH (FORCE)")

    def _on_server(self, statement: str) -> None:
        with connection.creation._nodb_cursor() as cursor:
            cursor.execute(statement.format(self.name))


@pytest.fixture
def old(first_state: None, django_db_blocker: DjangoDbBlocker) -> Iterator[set[str]]:
    """A copy of it; what is applied there."""
    connection.close()
    with django_db_blocker.unblock(), _Named(COPY, TEMPLATE):
        yield applied_migrations()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").ensure()


@pytest.fixture
def database(home: Home, old: set[str]) -> Database:
    return Database.at(home, connection.get_connection_params())


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let the last waiting migration do something more."""

    def fail(operation: Any) -> None:
        last = type(waiting_migrations()[-1])
        monkeypatch.setattr(last, "operations", [*last.operations, operation])

    return fail


def rows_of_the_former_version() -> tuple[str, str]:
    """Read as the former version does: by columns that it had."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.title, s.name FROM products_product p JOIN "
            f"{Source._meta.db_table} s ON s.product_id = p.id"
        )
        return tuple(cursor.fetchone())  # type: ignore[return-value]


def columns() -> set[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns "
            "WHERE table_schema = current_schema()"
        )
        return set(cursor.fetchall())


def test_data_of_the_first_version_is_there_afterwards(
    home: Home, database: Database, old: set[str], tmp_path: Path
) -> None:
    before = columns()
    done = upgrade(home, database, tmp_path / "b.devrag")
    assert len(done.migrations) > 20
    assert waiting_migrations() == []
    source = Source.objects.select_related("product").get()
    assert (source.name, source.product.title) == ("code", "The shop")
    assert columns() > before
    assert upgrade(home, database, tmp_path / "c.devrag").migrations == ()
    assert not (tmp_path / "c.devrag").exists()


def test_the_backup_brings_the_former_state_back(
    home: Home, database: Database, old: set[str], tmp_path: Path
) -> None:
    before = columns()
    upgrade(home, database, tmp_path / "b.devrag")
    # The former version accepts it: it knows all that the backup names.
    manifest = read_manifest(tmp_path / "b.devrag", known_migrations())
    assert set(manifest.migrations) == old & known_migrations()
    Product.objects.create(name="made-later")
    assert roll_back(home, database, None) == tmp_path / "b.devrag"
    assert columns() == before
    assert applied_migrations() == old
    assert rows_of_the_former_version() == ("The shop", "code")


_FULL = "DO $$BEGIN RAISE 'could not extend file' USING ERRCODE = '53100'; END$$"


@pytest.mark.parametrize(
    "operation",
    [
        migrations.RunSQL("SELECT 1 FROM no_such_table"),
        migrations.RunSQL(_FULL),  # what PostgreSQL raises when the disk is full
        migrations.RunSQL("SELECT pg_terminate_backend(pg_backend_pid())"),
    ],
    ids=["error", "disk full", "connection lost"],
)
def test_a_migration_that_fails_leaves_the_former_version_usable(
    old: set[str], failing: Callable[..., None], operation: Any
) -> None:
    before = columns()
    failing(operation)
    with pytest.raises(DatabaseFailure):
        migrate_whole()
    connection.close()
    assert applied_migrations() == old
    assert columns() == before
    assert rows_of_the_former_version() == ("The shop", "code")


def test_a_killed_upgrade_is_simply_started_again(old: set[str]) -> None:
    program = (
        "import django\n"
        "django.setup()\n"
        "from django.db import connection, migrations\n"
        "from devrag.operations import whole_migration as whole\n"
        "last = type(whole.waiting_migrations()[-1])\n"
        'wait = migrations.RunSQL("SELECT pg_sleep(600) AS \\"waits\\"")\n'
        "last.operations = [*last.operations, wait]\n"
        "whole.migrate_whole()\n"
    )
    database = connection.settings_dict
    url = "postgres://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**database)
    env = os.environ | {
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "devrag.settings",
    }
    child = subprocess.Popen([sys.executable, "-c", program], env=env)
    try:
        wait_until(lambda: _backends("%pg_sleep(600)%") > 0, seconds=240)
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
    # PostgreSQL notices when it next writes to the client: a test need not wait.
    _end_backends("%pg_sleep(600)%")
    wait_until(lambda: _backends("%pg_sleep(600)%") == 0)
    assert applied_migrations() == old
    assert rows_of_the_former_version() == ("The shop", "code")
    migrate_whole()
    assert Source.objects.get().name == "code"


_THEIRS = "query LIKE %s AND pid <> pg_backend_pid() AND state = 'active'"


def _backends(query: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT count(*) FROM pg_stat_activity WHERE {_THEIRS}", [query]
        )
        return int(cursor.fetchone()[0])


def _end_backends(query: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE " + _THEIRS,
            [query],
        )


def test_a_backup_that_cannot_be_written_changes_nothing(
    home: Home, database: Database, old: set[str]
) -> None:
    with pytest.raises((OSError, ServiceError)):
        upgrade(home, database, Path("/dev/full/b.devrag"))
    assert applied_migrations() == old


def states(backup: Path | None = None) -> dict[str, str]:
    return {each.name: each.state for each in check_upgrade(backup)}


def test_it_checks_before(
    home: Home,
    database: Database,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert set(states(tmp_path / "b").values()) == {"ok"}
    usage = SimpleNamespace(free=1000)
    with monkeypatch.context() as full:
        full.setattr(shutil, "disk_usage", lambda _folder: usage)
        assert states(tmp_path / "b")["disk"] == "broken"
        with pytest.raises(Conflict, match="Free some"):
            upgrade(home, database, tmp_path / "b")
    parameters = connection.get_connection_params()
    names = ("host", "port", "user", "password", "dbname")
    place = {name: parameters[name] for name in names if name in parameters}
    with psycopg.connect(**place, application_name="devrag"):
        assert states()["processes"] == "broken"
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('jobs', '9999_of_the_future', now())"
        )
    assert states()["database"] == "broken"
    with pytest.raises(Conflict, match="newer devrag"):
        upgrade(home, database, tmp_path / "b")


def test_a_backup_of_an_upgrade_that_got_no_further_is_replaced(
    home: Home,
    database: Database,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(version_upgrade, "migrate_whole", _raise)
        with pytest.raises(KeyboardInterrupt):
            upgrade(home, database, tmp_path / "first.devrag")
    upgrade(home, database, tmp_path / "second.devrag")
    assert last_backup(home) == tmp_path / "second.devrag"
    assert not (tmp_path / "first.devrag").exists()


def _raise() -> None:
    raise KeyboardInterrupt
