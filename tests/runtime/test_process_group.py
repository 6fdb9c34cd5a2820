"""A disk on which nothing more can be written ends nothing that runs."""

from __future__ import annotations

import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from devrag.core.errors import ServiceError
from devrag.runtime.child_records import read_children
from devrag.runtime.layout import Home
from devrag.runtime.process import ProcessSpec
from devrag.runtime.process_group import Fleet
from devrag.runtime.services import EmbeddedServices
from devrag.runtime.supervisor import ServerPlan, Supervisor
from tests.waiting import wait_until

SLEEP = (sys.executable, "-c", "import time; time.sleep(600)")


@pytest.fixture
def plain_home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").ensure()


@pytest.fixture
def fleet(plain_home: Home, said: list[str]) -> Iterator[Fleet]:
    fleet = Fleet(plain_home, [ProcessSpec("worker", SLEEP)], said.append)
    yield fleet
    fleet.stop()


@contextmanager
def nothing_can_be_written() -> Iterator[None]:
    """Let each write to a file fail in this process, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_process_that_dies_meanwhile_is_started_again_and_recorded_later(
    fleet: Fleet, plain_home: Home, said: list[str]
) -> None:
    fleet.start()
    first = read_children(plain_home)[0].ref
    first.send(signal.SIGKILL)

    def is_back() -> bool:
        fleet.tend()
        return said.count("starting worker") == 2

    with nothing_can_be_written():
        wait_until(is_back)
    told = [line for line in said if "list of processes is not written" in line]
    assert len(told) == 1
    assert read_children(plain_home)[0].ref == first
    fleet.tend()
    (again,) = read_children(plain_home)
    assert again.ref != first
    assert again.ref.is_alive()


def test_a_process_that_cannot_be_started_is_tried_again(
    fleet: Fleet, plain_home: Home, said: list[str]
) -> None:
    fleet.start()
    log = plain_home.log / "worker.log"
    log.unlink()
    log.mkdir()
    read_children(plain_home)[0].ref.send(signal.SIGKILL)

    def is_told() -> bool:
        fleet.tend()
        return any("Trying again in" in line for line in said)

    wait_until(is_told)
    assert read_children(plain_home) == []
    with pytest.raises(ServiceError, match="Cannot start worker"):
        wait_until(lambda: fleet.tend(failures_allowed=0))
    log.rmdir()

    def is_back() -> bool:
        fleet.tend()
        return bool(read_children(plain_home))

    wait_until(is_back)


def test_a_line_that_cannot_be_logged_ends_no_server(plain_home: Home) -> None:
    def say(message: str) -> None:
        with open("/dev/full", "w") as full:
            full.write(message)

    with pytest.raises(OSError, match="No space left"):
        say("starting web")
    services = EmbeddedServices.of(plain_home, has_postgres=False, has_valkey=False)
    supervisor = Supervisor(plain_home, services, ServerPlan("127.0.0.1", 9, []), say)
    supervisor._say("starting web")
