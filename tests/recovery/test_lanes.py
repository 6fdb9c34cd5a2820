"""Several jobs at once, done by a real worker: lanes, other refs, Latest Only."""

from __future__ import annotations

import pytest

from .ground import Site, caught
from .works import Works

pytestmark = pytest.mark.slow
_STATES = "SELECT state FROM jobs_job WHERE id = %s"


def test_one_job_a_lane_and_other_refs_beside_it(site: Site, works: Works) -> None:
    site.worker(processes=3)  # two may stand at the door
    folder = works.copy(site.root / "works")
    site.wait_job(site.index(folder))
    works.move_on(folder)
    with caught(site, folder, "sources_symbol") as running:
        replaced = site.index(folder, "--full")
        waiting = site.index(folder)
        # Nothing to parse for this ref, so that it does not stand at the same door.
        other = site.index(folder, "--ref", "first")
        assert site.wait_job(other)["unchanged"] == 0
        states = [site.ask(_STATES, job) for job in (running, replaced, waiting)]
        assert states == [[("running",)], [("skipped",)], [("pending",)]]
    site.wait_job(running)
    site.wait_job(waiting)
    rows = site.ask(
        "SELECT superseded_by_id::text, params FROM jobs_job WHERE id IN (%s, %s) "
        "ORDER BY created_at",
        *(replaced, waiting),
    )
    assert rows[0][0] == waiting
    assert rows[1][1]["full"]
    order = site.ask(
        "SELECT a.finished_at <= b.started_at FROM jobs_job a, jobs_job b "
        "WHERE a.id = %s AND b.id = %s",
        *(running, waiting),
    )
    assert order == [(True,)]
