"""Which process is which: a pid alone may have passed to somebody else."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

# Creation times are computed from the boot time, which is rounded to a second.
TOLERANCE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class ProcessRef:
    """A process that is still recognised after its pid was given to another one."""

    pid: int
    created: float

    @classmethod
    def of(cls, pid: int) -> ProcessRef | None:
        """Return the reference of a live process, None when there is none."""
        process = live_process(pid)
        return None if process is None else cls(pid, process.create_time())

    def is_alive(self) -> bool:
        """Return whether this very process still runs (a zombie does not)."""
        process = live_process(self.pid)
        return (
            process is not None
            and abs(process.create_time() - self.created) <= TOLERANCE_SECONDS
        )

    def send(self, number: int) -> None:
        """Send a signal if the process is still the same one."""
        if self.is_alive():
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                return


def live_process(pid: int) -> psutil.Process | None:
    """Return the process unless it is gone or only waits to be reaped."""
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process
    except psutil.NoSuchProcess:
        return None


def processes_working_in(folder: Path, name: str) -> list[ProcessRef]:
    """Return the processes of that name whose working directory is the folder.

    A database server works in its data directory: this finds its processes even when
    every pid file is lost. Processes we may not look at are not ours.
    """
    found = []
    for process in psutil.process_iter():
        try:
            if process.name().startswith(name) and Path(process.cwd()) == folder:
                found.append(ProcessRef(process.pid, process.create_time()))
        except psutil.Error:
            continue
    return [ref for ref in found if ref.is_alive()]


def session_members(leader: ProcessRef) -> Iterator[ProcessRef]:
    """Yield the processes of a session that we started, its leader dead or alive.

    The kernel gives a number to nobody else while a session has it: when the pid is
    another process now, nothing of our session is left.
    """
    if live_process(leader.pid) is not None and not leader.is_alive():
        return
    for process in psutil.process_iter():
        try:
            if (
                os.getsid(process.pid) == leader.pid
                and process.create_time() >= leader.created - TOLERANCE_SECONDS
                and process.status() != psutil.STATUS_ZOMBIE
            ):
                yield ProcessRef(process.pid, process.create_time())
        except (psutil.Error, OSError):
            continue


def wait_gone(refs: Iterable[ProcessRef], timeout_seconds: float) -> list[ProcessRef]:
    """Wait for processes to end; return those that did not."""
    deadline = time.monotonic() + timeout_seconds
    left = [ref for ref in refs if ref.is_alive()]
    while left and time.monotonic() < deadline:
        time.sleep(0.05)
        left = [ref for ref in left if ref.is_alive()]
    return left


def end_processes(
    refs: Iterable[ProcessRef],
    timeout_seconds: float,
    number: int = signal.SIGTERM,
) -> None:
    """Ask processes to end, and end by force what is left after the timeout."""
    ours = list(refs)
    for ref in ours:
        ref.send(number)
    for ref in wait_gone(ours, timeout_seconds):
        ref.send(signal.SIGKILL)
    wait_gone(ours, 5)
