"""Database or broker lost in the middle of a job; two beats."""

from __future__ import annotations

from pathlib import Path

import pytest
import redis

from .conftest import Calm
from .contents import assert_same, read_contents
from .ground import Site, caught
from .works import Works

pytestmark = pytest.mark.slow


def increment(site: Site, works: Works) -> Path:
    """Index the first version; return the folder at the second."""
    folder = works.copy(site.root / "works")
    site.wait_job(site.index(folder))
    works.move_on(folder)
    return folder


@pytest.mark.parametrize(
    "tables",
    [
        ["sources_file"],
        ["sources_chunk"],
        ["sources_fact", "jobs_job"],
        ["sources_reffile"],
    ],
    ids=" ".join,
)
def test_a_database_that_restarts(
    site: Site, works: Works, calm: Calm, tables: list[str]
) -> None:
    site.worker()
    folder = increment(site, works)
    with caught(site, folder, *tables) as job:
        site.ground.restart_postgres()
    site.wait_job(job)
    assert_same(read_contents(site.database), calm.second)


def test_a_broker_that_is_emptied(site: Site, works: Works, calm: Calm) -> None:
    site.worker()
    folder = increment(site, works)
    with (
        caught(site, folder, "sources_chunk") as job,
        redis.Redis.from_url(site.broker) as client,
    ):
        client.flushall()
    site.wait_job(job)
    assert_same(read_contents(site.database), calm.second)


def test_a_broker_that_restarts_empty(site: Site, works: Works, calm: Calm) -> None:
    site.worker()
    folder = increment(site, works)
    site.beat("beat")
    with caught(site, folder, "sources_chunk") as job:
        site.ground.restart_valkey_empty()
    site.wait_job(job)
    assert_same(read_contents(site.database), calm.second)


def test_two_beats(site: Site, works: Works, calm: Calm) -> None:
    """Both send every tick; with a killed worker on top, lost work is found twice."""
    for name in ("beat", "another-beat"):
        site.beat(name)
    worker = site.worker()
    folder = increment(site, works)
    with caught(site, folder, "sources_chunk") as job:
        worker.kill()
    for host in ("alpha", "beta"):
        site.worker(host)
    site.wait_job(job)
    assert_same(read_contents(site.database), calm.second)
