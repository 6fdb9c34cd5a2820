from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from devrag.core.errors import ServiceError
from devrag.runtime.child_records import (
    Child,
    end_orphans,
    read_children,
    write_children,
)
from devrag.runtime.identity import ProcessRef
from devrag.runtime.layout import Home
from devrag.runtime.process import ManagedProcess, ProcessSpec, exit_reason
from devrag.runtime.process_group import Fleet
from tests.waiting import wait_until

# Processes to look after. What a failing test leaves behind ends by itself.
SLEEP = (sys.executable, "-c", "import time; time.sleep(600)")
IGNORE_SIGTERM = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("up", flush=True)
time.sleep(600)
"""
STUBBORN = (sys.executable, "-c", IGNORE_SIGTERM)
HAVE_A_CHILD = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep(600)
"""
PARENT = (sys.executable, "-c", HAVE_A_CHILD)


@pytest.fixture
def plain_home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").ensure()


def first_line(home: Home, name: str) -> str:
    log = home.log / f"{name}.log"
    return wait_until(lambda: log.exists() and log.read_text()).split()[0]


def test_output_is_appended_to_a_private_log(plain_home: Home) -> None:
    argv = (sys.executable, "-c", "import sys; print('out'); sys.exit('err')")
    for _ in range(2):
        process = ManagedProcess(ProcessSpec("worker", argv), plain_home)
        while process.exit_code() is None:
            pass
    assert process.exit_code() == 1
    assert sorted(process.log.read_text().split()) == ["err", "err", "out", "out"]
    assert process.log.stat().st_mode & 0o777 == 0o600


def test_a_process_has_its_niceness_environment_and_session(plain_home: Home) -> None:
    code = "import os; print(os.nice(0), os.environ['X'], os.getsid(0) == os.getpid())"
    spec = ProcessSpec("nice", (sys.executable, "-c", code), env=(("X", "y"),), nice=7)
    process = ManagedProcess(spec, plain_home)
    while process.exit_code() is None:
        pass
    assert process.log.read_text().split() == [str(os.nice(0) + 7), "y", "True"]


def test_children_of_a_killed_process_end_with_it(
    plain_home: Home,
    is_running: Callable[[int], bool],
) -> None:
    process = ManagedProcess(ProcessSpec("parent", PARENT), plain_home)
    grandchild = int(first_line(plain_home, "parent"))
    os.kill(process.ref.pid, signal.SIGKILL)
    assert wait_until(process.exit_code) == -signal.SIGKILL
    wait_until(lambda: not is_running(grandchild))


def test_orphans_of_an_earlier_run_are_found_and_ended(
    plain_home: Home,
    said: list[str],
    is_running: Callable[[int], bool],
) -> None:
    process = ManagedProcess(ProcessSpec("worker", PARENT), plain_home)
    grandchild = int(first_line(plain_home, "worker"))
    write_children(plain_home, [Child("worker", process.ref)])
    end_orphans(plain_home, said.append)
    assert not process.ref.is_alive()
    assert not is_running(grandchild)
    assert said == ["stopping processes left over from an earlier run: worker"]
    assert read_children(plain_home) == []
    process.kill()


def test_an_orphan_that_ignores_the_signal_costs_no_more_than_its_time(
    plain_home: Home, said: list[str]
) -> None:
    process = ManagedProcess(ProcessSpec("worker", STUBBORN), plain_home)
    first_line(plain_home, "worker")
    write_children(plain_home, [Child("worker", process.ref)])
    began = time.monotonic()
    end_orphans(plain_home, said.append, 0.2)
    assert time.monotonic() - began < 4
    assert not process.ref.is_alive()
    process.kill()


def test_a_process_that_only_reuses_a_pid_is_left_alone(
    plain_home: Home, said: list[str]
) -> None:
    with subprocess.Popen(SLEEP, start_new_session=True) as stranger:
        ref = ProcessRef.of(stranger.pid)
        assert ref is not None
        ours = ProcessRef(ref.pid, ref.created - 3600)
        write_children(plain_home, [Child("worker", ours)])
        ours.send(signal.SIGKILL)
        end_orphans(plain_home, said.append)
        assert said == []
        assert stranger.poll() is None
        stranger.kill()


def test_a_process_that_ignores_the_signal_is_ended_by_force(
    plain_home: Home, said: list[str]
) -> None:
    spec = ProcessSpec("worker", STUBBORN, stop_timeout_seconds=0.2)
    fleet = Fleet(plain_home, [spec], said.append)
    fleet.start()
    first_line(plain_home, "worker")
    fleet.stop()
    assert said[-1] == "killing worker"


def test_a_dead_process_is_started_again(plain_home: Home, said: list[str]) -> None:
    fleet = Fleet(plain_home, [ProcessSpec("worker", SLEEP)], said.append)
    fleet.start()
    first = read_children(plain_home)[0].ref
    first.send(signal.SIGKILL)

    def is_back() -> bool:
        fleet.tend()
        children = read_children(plain_home)
        return bool(children) and children[0].ref != first

    wait_until(is_back)
    fleet.stop()
    assert "worker was killed by SIGKILL; restarting it in 0 s" in said


def test_what_is_deferred_starts_after_the_others(
    plain_home: Home, said: list[str]
) -> None:
    specs = [
        ProcessSpec("embed", SLEEP, is_deferred=True),
        ProcessSpec("web", SLEEP),
    ]
    fleet = Fleet(plain_home, specs, said.append)
    fleet.start()
    fleet.tend()
    assert [child.name for child in read_children(plain_home)] == ["web"]
    fleet.start_deferred()
    assert {child.name for child in read_children(plain_home)} == {"web", "embed"}
    fleet.stop()


def test_a_start_gives_up_with_the_end_of_the_log(
    plain_home: Home, said: list[str]
) -> None:
    argv = (sys.executable, "-c", "import sys; sys.exit('no such setting')")
    fleet = Fleet(plain_home, [ProcessSpec("worker", argv)], said.append)
    fleet.start()

    def tend() -> bool:
        fleet.tend(failures_allowed=0)
        return False

    with pytest.raises(ServiceError, match=r"worker exited with code 1(.|\n)*no such"):
        wait_until(tend)


def test_a_program_that_does_not_exist_is_named(
    plain_home: Home, said: list[str]
) -> None:
    fleet = Fleet(plain_home, [ProcessSpec("web", ("/no/program",))], said.append)
    with pytest.raises(ServiceError, match="Cannot start web: /no/program"):
        fleet.start()


def test_signals_are_named() -> None:
    assert exit_reason(-9) == "was killed by SIGKILL"
    assert exit_reason(3) == "exited with code 3"
