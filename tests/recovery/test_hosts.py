"""Several machines that share a database: one takes over what another leaves."""

from __future__ import annotations

import os
import signal

import pytest

from .conftest import Calm
from .contents import assert_same, read_contents
from .ground import Site, caught
from .works import Works

pytestmark = pytest.mark.slow
_BRIEF = "devrag.jobs.batch_run:TRANSACTION_SECONDS=5"
_HOLDERS = "SELECT worker FROM jobs_batch WHERE state = 'running'"


def end_leases(site: Site) -> None:
    """Let time pass for those who wait for a lease to end."""
    site.ask("UPDATE jobs_batch SET lease_until = now() WHERE state = 'running'")


def test_another_host_goes_on_when_the_lease_ends(
    site: Site, works: Works, calm: Calm
) -> None:
    alpha = site.worker("alpha")
    folder = works.copy(site.root / "works")
    with caught(site, folder, "sources_chunk") as job:
        alpha.kill()
    held = site.ask(_HOLDERS)
    assert held
    site.worker("beta")
    # What alpha held is not lost for beta, which cannot see alpha's processes.
    site.wait(lambda: site.heartbeat() == "beta", "a tick by beta")
    assert set(site.ask(_HOLDERS)) >= set(held)
    end_leases(site)
    site.wait_job(job)
    assert_same(read_contents(site.database), calm.first)


def test_a_replaced_host_of_the_same_name_goes_on_at_once(
    site: Site, works: Works, calm: Calm
) -> None:
    alpha = site.worker("alpha")
    folder = works.copy(site.root / "works")
    with caught(site, folder, "sources_file") as job:
        alpha.kill()
    site.worker("alpha")
    site.wait_job(job, 60)
    assert_same(read_contents(site.database), calm.first)


def test_two_hosts_share_one_job(site: Site, works: Works, calm: Calm) -> None:
    for host in ("alpha", "beta"):
        site.worker(host)
    folder = works.copy(site.root / "works")
    site.wait_job(site.index(folder))
    assert_same(read_contents(site.database), calm.first)
    works.move_on(folder)
    site.wait_job(site.index(folder))
    assert_same(read_contents(site.database), calm.second)


def test_a_host_that_comes_back_late_writes_nothing(
    site: Site, works: Works, calm: Calm
) -> None:
    """Frozen in the middle of the activation, which the database ends by itself."""
    alpha = site.worker("alpha", program=("-m", "tests.recovery.changed", _BRIEF))
    folder = works.copy(site.root / "works")
    with caught(site, folder, "sources_reffile") as job:
        os.killpg(alpha.process.pid, signal.SIGSTOP)
    try:
        site.worker("beta")
        site.wait(lambda: site.heartbeat() == "beta", "a tick by beta")
        end_leases(site)
        site.wait_job(job, 60)
    finally:
        os.killpg(alpha.process.pid, signal.SIGCONT)
    site.wait(lambda: site.heartbeat() == "alpha", "a tick by alpha")
    assert_same(read_contents(site.database), calm.first)
