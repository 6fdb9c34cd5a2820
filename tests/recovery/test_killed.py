"""A worker killed at any point: the job goes on and ends with the same rows."""

from __future__ import annotations

import random
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil
import pytest

from .conftest import Calm
from .contents import assert_same, read_contents
from .ground import Door, Site, caught, closed
from .works import Works

# In the order in which a run comes to them: staging, storing, both ends of a batch of
# the parser, between two phases, the activation, the end of the job.
DOORS = (
    "sources_stagedchange",
    "sources_file",
    "sources_chunk",
    "sources_fact",
    "jobs_job",
    "sources_reffile",
    "jobs_job",
)
KILLS = 3


def same_counts(report: dict[str, Any], calm: dict[str, Any]) -> None:
    """Demand that nothing was counted twice or left out of the report."""
    told = ("embedJobID", "seconds", "milliseconds", "commit")
    keys = calm.keys() - set(told)
    assert {key: report[key] for key in keys} == {key: calm[key] for key in keys}


def index_killed(site: Site, folder: Path, doors: tuple[str, ...]) -> dict[str, Any]:
    """Index while the processes that stand at each of the doors are killed in turn."""
    with ExitStack() as first:
        door = first.enter_context(closed(site, doors[0]))
        job = site.index(folder)
        for table in doors[1:]:
            kill_at(site, door)
            first.close()  # the next one is closed before anybody gets there
            door = first.enter_context(closed(site, table))
        kill_at(site, door)
    return site.wait_job(job)


def kill_at(site: Site, door: Door) -> None:
    pids = site.wait(door.waiting, f"somebody before {door.table}")
    for pid in pids:
        psutil.Process(pid).kill()


@pytest.mark.slow
def test_processes_killed_in_every_phase(site: Site, works: Works, calm: Calm) -> None:
    site.worker()
    report = index_killed(site, works.copy(site.root / "works"), DOORS)
    assert_same(read_contents(site.database), calm.first)
    same_counts(report, calm.first_report)


@pytest.mark.slow
@pytest.mark.parametrize(
    "tables",
    [
        ["sources_stagedchange"],
        ["sources_file"],
        ["sources_chunk"],
        ["sources_fact"],
        ["sources_fact", "jobs_job"],
        ["sources_reffile"],
        ["sources_reffile", "jobs_job"],
    ],
    ids=" ".join,
)
def test_a_host_killed_in_a_phase_of_an_increment(
    site: Site, works: Works, calm_vectors: Calm, tables: list[str]
) -> None:
    worker = site.worker(has_embed=True)
    folder = works.copy(site.root / "works")
    site.wait_vectors(site.wait_job(site.index(folder)))
    works.move_on(folder)
    with caught(site, folder, *tables) as job:
        worker.kill()
    site.worker(has_embed=True)
    report = site.wait_job(job)
    site.wait_vectors(report)
    assert_same(read_contents(site.database), calm_vectors.second)
    same_counts(report, calm_vectors.second_report)


@pytest.mark.slow
def test_a_host_killed_while_it_embeds(
    site: Site, works: Works, calm_vectors: Calm
) -> None:
    worker = site.worker()
    report = site.wait_job(site.index(works.copy(site.root / "works")))
    worker.kill()
    with closed(site, "search_embedding") as door:
        worker = site.worker(has_embed=True)
        site.wait(door.waiting, "an embedding job before its table")
        worker.kill()
    worker = site.worker(has_embed=True)
    site.wait(lambda: vectors(site), "some vectors")
    worker.kill()
    site.worker(has_embed=True)
    done = site.wait_vectors(report)
    assert_same(read_contents(site.database), calm_vectors.first)
    assert done["embedded"] <= vectors(site)


def vectors(site: Site) -> int:
    return int(site.ask("SELECT count(*) FROM search_embedding")[0][0])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_hosts_killed_at_random_moments(
    site: Site, works: Works, calm_vectors: Calm, seed: int
) -> None:
    """How much was written decides the moment, not the clock: a seed is repeatable."""
    chosen = random.Random(seed)
    folder = works.copy(site.root / "works")
    worker = site.worker(has_embed=True)
    began = site.written()
    job = site.index(folder)
    for share in sorted(chosen.random() for _ in range(KILLS)):
        limit = began + int(share * calm_vectors.first_written)
        site.wait(lambda limit=limit: site.written() > limit, f"{share:.0%} written")
        worker.kill()
        worker = site.worker(has_embed=True)
    site.wait_vectors(site.wait_job(job))
    assert_same(read_contents(site.database), calm_vectors.first)
