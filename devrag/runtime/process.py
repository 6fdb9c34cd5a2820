"""One supervised child process: started in a session of its own, logged, ended."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from devrag.runtime.identity import ProcessRef, session_members
from devrag.runtime.layout import Home
from devrag.runtime.state_files import open_log

_PR_SET_PDEATHSIG = 1
# glibc gives each thread a pool of its own and keeps what it frees: 25 MB of a web
# process. Who sets it has a reason.
_MEMORY = {"MALLOC_ARENA_MAX": "2"}
# Loaded here: the code between fork and exec must not import or allocate much.
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


@dataclass(frozen=True, slots=True)
class ProcessSpec:
    """What to run; `env` is added to the supervisor's own environment.

    is_deferred: the server answers without it, so that it starts after the others.
    """

    name: str
    argv: tuple[str, ...]
    env: tuple[tuple[str, str], ...] = ()
    nice: int = 0
    stop_signal: int = signal.SIGTERM
    stop_timeout_seconds: float = 180.0
    is_deferred: bool = False


class ManagedProcess:
    """A running instance of a spec. Start it from the main thread only: the kernel
    sends the parent-death signal when the *thread* that started the child ends."""

    def __init__(self, spec: ProcessSpec, home: Home) -> None:
        self.spec = spec
        self.log = log_path(home, spec.name)
        with open_log(self.log) as log:
            self._child = subprocess.Popen(
                spec.argv,
                env={**_MEMORY, **os.environ, **dict(spec.env)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_prepare_child(spec.nice),  # noqa: PLW1509  # one thread
            )
        # Not reaped before `exit_code` is asked, so the pid is still its own here.
        created = ProcessRef.of(self._child.pid)
        self.ref = created or ProcessRef(self._child.pid, 0.0)

    def exit_code(self) -> int | None:
        """Return the exit code, None while it runs. Its orphans end with it."""
        if self._child.returncode is None and self._has_exited():
            # Still a zombie, so its number cannot be another session's yet.
            self._signal_session(signal.SIGKILL)
        return self._child.poll()

    def request_stop(self) -> None:
        """Ask the process itself, not its children: a worker finishes its tasks."""
        if self.exit_code() is None:
            self._child.send_signal(self.spec.stop_signal)

    def kill(self) -> None:
        """End the process and everything in its session by force."""
        if self.exit_code() is None:
            self._signal_session(signal.SIGKILL)
        self._child.wait()

    def _has_exited(self) -> bool:
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._child.pid, options) is not None

    def _signal_session(self, number: int) -> None:
        for member in (self.ref, *session_members(self.ref)):
            member.send(number)


def log_path(home: Home, name: str) -> Path:
    """Return where the output of a process goes."""
    return home.log / f"{name}.log"


def _prepare_child(nice: int) -> Callable[[], None]:
    parent = os.getpid()

    def prepare() -> None:
        if nice:
            os.nice(nice)
        if _LIBC is not None:
            # Children of a supervisor that was killed end by themselves.
            _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
            if os.getppid() != parent:
                os.kill(os.getpid(), signal.SIGTERM)

    return prepare


def exit_reason(code: int) -> str:
    """Say in words how a process ended."""
    if code >= 0:
        return f"exited with code {code}"
    with contextlib.suppress(ValueError):
        return f"was killed by {signal.Signals(-code).name}"
    return f"was killed by signal {-code}"
