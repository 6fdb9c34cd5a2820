"""Who holds a batch: dead is said only of what can be seen from here."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from devrag.core import process_identity as worker
from devrag.core.process_identity import is_gone, worker_name


def renamed(**parts: str) -> str:
    """Return this process's identity with some of its parts changed."""
    host, _, rest = worker_name().partition("/")
    where, pid, start = rest.split(":")
    old = {"host": host, "where": where, "pid": pid, "start": start}
    return "{host}/{where}:{pid}:{start}".format(**(old | parts))


def test_a_living_worker_is_not_gone() -> None:
    assert not is_gone(worker_name())


def test_a_free_pid_is_a_dead_worker() -> None:
    assert is_gone(renamed(pid=str(2**22 + 1)))


def test_a_pid_that_went_to_another_process_is_a_dead_worker() -> None:
    assert is_gone(renamed(start="1"))


def test_a_zombie_is_a_dead_worker() -> None:
    argv = [sys.executable, "-c", "input()"]
    child = subprocess.Popen(argv, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    name = renamed(pid=str(child.pid), start=worker._started(child.pid))
    assert not is_gone(name)
    assert child.stdin is not None
    child.stdin.close()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it stays unreaped
    assert is_gone(name)
    child.wait()


@pytest.mark.parametrize("part", ["host", "where"])
def test_of_a_worker_elsewhere_nothing_is_known(part: str) -> None:
    # Containers share host names; another pid namespace has the same numbers.
    assert not is_gone(renamed(**{part: "elsewhere", "pid": str(2**22 + 1)}))


@pytest.mark.parametrize("name", ["", "host:12", "host/", "host/a:b:c"])
def test_a_name_of_another_kind_is_left_to_the_lease(name: str) -> None:
    assert not is_gone(name)


def test_a_name_fits_its_column(settings: Any) -> None:
    settings.HOST_NAME = "h" * 64
    assert len(worker_name()) < 120
