"""Upgrades of installations that run, and of those that each release left."""

from __future__ import annotations

import json
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import psycopg
import pytest

from devrag.runtime.endpoints import read_endpoints
from devrag.runtime.layout import Home
from tests.e2e.instance import CHECKOUT, Instance

pytestmark = pytest.mark.slow
_TILL = 'def charge(amount: int) -> int:\n    """Charge it."""\n    return amount\n'
_OLDER = """
ALTER TABLE search_searchlog DROP COLUMN confidence;
DELETE FROM django_migrations WHERE app = 'search' AND name >= '0008'
"""
# A stop waits for what the workers are at.
_SECONDS = 600


def releases() -> list[str]:
    """Return the tags of releases, or the present commit before the first one."""
    argv = ["git", "tag", "--list", "[0-9]*", "v[0-9]*", "--merged", "HEAD"]
    found = subprocess.run(
        argv, cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    return found.stdout.split() or ["HEAD"]


@contextmanager
def running(checkout: Path = CHECKOUT) -> Iterator[Instance]:
    """Yield an installation with a server and something in it."""
    made = Instance(checkout)
    try:
        made.start()
        shop = made.sources / "shop"
        shop.mkdir()
        (shop / "till.py").write_text(_TILL)
        made.ask("index", str(shop), "--product", "shop", "--wiki")
        yield made
    finally:
        made.end()


def make_older(made: Instance) -> None:
    """Leave the schema as the former release had it."""
    endpoints = read_endpoints(Home(made.home))
    assert endpoints is not None
    with psycopg.connect(str(endpoints.database_url)) as connection:
        connection.execute(_OLDER)


def upgrade(made: Instance) -> dict[str, Any]:
    done = made.run("upgrade", "--json", seconds=_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_a_server_that_runs_is_stopped_upgraded_and_started() -> None:
    with running() as made:
        make_older(made)
        before = made.pids()
        report = upgrade(made)
        assert report["applied"] == [
            "search.0008_search_confidence",
            "search.0009_names_in_admin",
        ]
        assert made.is_healthy()
        assert made.pids()["web"] != before["web"]
        assert made.ask("search", "charge", "--mode", "keyword")["hits"]
        assert made.run("doctor").returncode == 0


def test_a_version_that_does_not_start_is_undone() -> None:
    with running() as made:
        make_older(made)
        module = "tests.operations.upgrades.settings"
        env = {"DJANGO_SETTINGS_MODULE": module, "BROKEN_UPGRADE": "unready"}
        failed = made.run("upgrade", seconds=_SECONDS, **env)
        assert failed.returncode == 1
        assert "This release is not ready" in failed.stderr
        assert "was restored to its state before the upgrade" in failed.stderr
        assert "server" not in made.pids()
        # What started it before starts again.
        assert "2 to apply" in made.run("upgrade", "--check").stdout
        made.start()
        assert made.ask("search", "charge", "--mode", "keyword")["hits"]


@pytest.mark.parametrize("release", releases())
def test_data_of_a_release_is_upgraded(release: str, tmp_path: Path) -> None:
    argv = ["git", "archive", release]
    packed = subprocess.run(argv, cwd=CHECKOUT, capture_output=True, check=True)
    with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
        archive.extractall(tmp_path / "former", filter="data")
    with running(tmp_path / "former") as made:
        hits = made.ask("search", "charge")["hits"]
        pages = made.ask("wiki", "status", "--product", "shop")["pages"]
        made.use(CHECKOUT)
        upgrade(made)
        assert made.is_healthy()
        assert [hit["path"] for hit in made.ask("search", "charge")["hits"]] == [
            hit["path"] for hit in hits
        ]
        assert made.ask("wiki", "status", "--product", "shop")["pages"] == pages
        assert made.run("doctor").returncode == 0
