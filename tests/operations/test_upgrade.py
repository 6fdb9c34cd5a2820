"""An older database is upgraded, or is afterwards exactly what it was."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from devrag.operations.upgrade_checks import DataState
from devrag.runtime.layout import Home
from devrag.runtime.services import EmbeddedServices
from tests.e2e.instance import Instance

# A server of one's own needs one.
_KEY = "a key for the tests alone"
NEWEST = ("0008_search_confidence", "0009_names_in_admin")
# What the migration before it left.
OLDER = """
ALTER TABLE search_searchlog DROP COLUMN IF EXISTS confidence;
DELETE FROM django_migrations WHERE app = 'search' AND name >= '0008'
"""


class Older:
    """An installation without a running server, whose products are older."""

    def __init__(self) -> None:
        self.made = Instance()
        self.home = Home(self.made.home).ensure()
        self.services = EmbeddedServices.of(self.home, has_valkey=False)
        with self.database():
            self.manage("migrate")
            self.manage("product", "add", "shop", "--title", "The shop")

    def manage(self, *argv: str, **env: str) -> str:
        done = self.made.run(*argv, seconds=600, **env)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def broken(self, name: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Upgrade to a release whose application of that name is broken."""
        module = "tests.operations.upgrades.settings"
        env = {"DJANGO_SETTINGS_MODULE": module, "BROKEN_UPGRADE": name, **env}
        return self.made.run("upgrade", seconds=600, **env)

    @contextmanager
    def database(self) -> Iterator[str]:
        """Run PostgreSQL meanwhile; yield its address."""
        endpoints = self.services.start(lambda _said: None)
        try:
            yield str(endpoints.database_url)
        finally:
            self.services.stop(lambda _said: None)

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Read or change rows while PostgreSQL runs."""
        endpoints = self.services.start(lambda _said: None)
        with psycopg.connect(
            str(endpoints.database_url), autocommit=True
        ) as connection:
            cursor = connection.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    def contents(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return the rows that an upgrade must not change, and the schema."""
        with self.database():
            return {
                "products": self.ask("SELECT name, title FROM products_product"),
                "applied": self.ask("SELECT app, name FROM django_migrations"),
                "columns": self.ask(
                    "SELECT table_name, column_name FROM information_schema.columns "
                    "WHERE table_schema = 'public' ORDER BY 1, 2"
                ),
            }

    def backups(self) -> list[Path]:
        return sorted(self.home.backups.glob("*.devrag"))

    def close(self) -> None:
        self.services.stop(lambda _said: None)
        shutil.rmtree(self.made.root)


@pytest.fixture(scope="module")
def installation() -> Iterator[Older]:
    with closing(Older()) as made:
        yield made


@pytest.fixture
def older(installation: Older) -> Iterator[Older]:
    with installation.database():
        installation.ask(OLDER)
    yield installation
    shutil.rmtree(installation.home.backups, ignore_errors=True)


def test_an_older_database_is_upgraded(older: Older) -> None:
    before = older.contents()
    report = json.loads(older.manage("upgrade", "--json"))
    after = older.contents()
    assert report["applied"] == [f"search.{name}" for name in NEWEST]
    assert after["products"] == before["products"]
    assert {("search", name) for name in NEWEST} <= set(after["applied"])
    assert older.backups() == [Path(report["backup"])]
    assert "up to date" in older.manage("upgrade")
    assert len(older.backups()) == 1


@pytest.mark.slow
def test_a_check_changes_nothing(older: Older) -> None:
    before = older.contents()
    said = older.manage("upgrade", "--check")
    assert f"2 to apply: search.{NEWEST[0]}" in said
    assert "GB free" in said
    assert older.contents() == before
    assert older.backups() == []


@pytest.mark.slow
def test_its_backup_brings_the_older_database_back(older: Older) -> None:
    before = older.contents()
    older.manage("upgrade", "--backup", str(older.made.root / "mine.devrag"))
    older.manage("restore", str(older.made.root / "mine.devrag"), "--yes")
    assert older.contents() == before


def test_a_migration_that_fails_is_undone(older: Older) -> None:
    before = older.contents()
    failed = older.broken("failing")
    assert failed.returncode == 1
    assert "The upgrade failed: DataError: division by zero" in failed.stderr
    assert "was restored to its state before the upgrade" in failed.stderr
    assert older.contents() == before
    assert str(older.backups()[0]) in failed.stderr
    assert json.loads(older.manage("upgrade", "--json"))["applied"]


@pytest.mark.slow
def test_rows_that_a_migration_loses_are_brought_back(older: Older) -> None:
    before = older.contents()
    failed = older.broken("losing")
    assert failed.returncode == 1
    assert "products_product has 0 rows instead of 1" in failed.stderr
    assert older.contents() == before


@pytest.mark.slow
def test_an_upgrade_that_was_killed_goes_back_to_its_beginning(older: Older) -> None:
    before = older.contents()
    assert older.broken("killed", KILL_UPGRADE="1").returncode == -9
    assert older.contents()["products"] == [("shop", "half")]
    failed = older.broken("killed")
    assert "continuing an interrupted upgrade" in failed.stderr
    assert failed.returncode == 1
    assert older.contents() == before
    assert len(older.backups()) == 1


@pytest.mark.slow
def test_a_backup_that_was_superseded_is_not_restored(older: Older) -> None:
    assert older.broken("killed", KILL_UPGRADE="1").returncode == -9
    with older.database():
        older.ask("DELETE FROM django_migrations WHERE app = 'killed'")
        older.manage("prepare")
        older.ask("UPDATE products_product SET title = 'Written later'")
        older.ask(OLDER)
    failed = older.broken("losing")
    assert "continuing" not in failed.stderr
    assert older.contents()["products"] == [("shop", "Written later")]
    with older.database():
        older.ask("UPDATE products_product SET title = 'The shop'")


@pytest.mark.slow
def test_a_database_of_a_newer_version_is_left_alone(older: Older) -> None:
    with older.database():
        older.ask(
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('products', '0999_later', now())"
        )
    refused = older.made.run("upgrade")
    assert refused.returncode == 1
    assert "upgraded by a newer devrag (products.0999_later)" in refused.stdout
    assert "Nothing was changed" in refused.stderr
    assert older.backups() == []
    with older.database():
        older.ask("DELETE FROM django_migrations WHERE name = '0999_later'")


@pytest.mark.slow
def test_a_database_that_others_use_is_left_alone(older: Older) -> None:
    """As in containers: nothing there can stop the other ones."""
    with older.database() as url:
        named = psycopg.conninfo.make_conninfo(url, application_name="a worker")
        with psycopg.connect(named):
            refused = older.made.run("upgrade", DATABASE_URL=url, SECRET_KEY=_KEY)
    assert refused.returncode == 1
    assert "in use by a worker at 127.0.0.1" in refused.stderr
    assert "docker compose stop web worker" in refused.stderr
    assert older.backups() == []


@pytest.mark.slow
def test_without_data_there_is_nothing_to_upgrade(older: Older) -> None:
    with older.database() as url:
        older.ask("CREATE DATABASE empty")
        empty = f"{url.rpartition('/')[0]}/empty"
        refused = older.made.run("upgrade", DATABASE_URL=empty, SECRET_KEY=_KEY)
    assert (refused.returncode, "There is no data" in refused.stderr) == (1, True)


def test_only_what_is_new_counts_as_a_loss() -> None:
    before = DataState({"users": 2}, {"missing rows": frozenset({"shop"})})
    more = DataState({"users": 3}, {"missing rows": frozenset({"shop"})})
    assert before.losses(more) == []
    worse = DataState({"users": 1}, {"missing rows": frozenset({"shop", "till"})})
    assert before.losses(worse) == [
        "users has 1 rows instead of 2",
        "missing rows: till",
    ]
