"""devrag's own processes as a group: started, watched, started again, stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from devrag.core.errors import ServiceError
from devrag.runtime.backoff import Backoff
from devrag.runtime.child_records import Child, write_children
from devrag.runtime.layout import Home, Say
from devrag.runtime.process import ManagedProcess, ProcessSpec, exit_reason
from devrag.runtime.state_files import last_lines

# The web process stops before the workers do.
FIRST_TO_STOP = "web"
_POLL_SECONDS = 0.1
# A server that is not healthy has its other processes all the same.
_LONGEST_WAIT_SECONDS = 10.0
_TELL_SECONDS = 5.0


class Fleet:
    """All processes of the specs. `is_hurried` cuts the waiting of a stop short."""

    def __init__(
        self,
        home: Home,
        specs: Sequence[ProcessSpec],
        say: Say,
        is_hurried: Callable[[], bool] = lambda: False,
    ) -> None:
        self._home = home
        self._specs = specs
        self._say = say
        self._is_hurried = is_hurried
        self._running: dict[str, ManagedProcess] = {}
        self._backoff = {spec.name: Backoff() for spec in specs}
        self._is_recorded = True

    def start(self) -> None:
        """Start every process; those that are deferred wait for `start_deferred`.

        They would take the processor from what the server needs to answer.
        """
        for spec in self._specs:
            if spec.is_deferred:
                self._backoff[spec.name].hold(_LONGEST_WAIT_SECONDS)
            else:
                self._start(spec)

    def start_deferred(self) -> None:
        """Start the processes that were deferred and do not run yet."""
        for spec in self._specs:
            if spec.is_deferred and spec.name not in self._running:
                self._start(spec)

    def tend(self, failures_allowed: int | None = None) -> None:
        """Note processes that died and start those whose delay is over.

        What cannot be started or recorded now, as on a full disk, is tried again.
        failures_allowed: raise ServiceError with the end of its log when one process
        dies more often; None for never.
        """
        if not self._is_recorded:
            self._record()
        for process in list(self._running.values()):
            code = process.exit_code()
            if code is not None:
                self._note_death(process, code, failures_allowed)
        for spec in self._specs:
            is_missing = spec.name not in self._running
            if is_missing and self._backoff[spec.name].is_due():
                self._restart(spec, failures_allowed)

    def stop(self) -> None:
        """Stop the web process, then all others at the same time."""
        self._stop([p for p in self._running.values() if _is_first(p)])
        self._stop(list(reversed(self._running.values())))

    def _start(self, spec: ProcessSpec) -> None:
        self._say(f"starting {spec.name}")
        try:
            self._running[spec.name] = ManagedProcess(spec, self._home)
        except OSError as error:
            raise ServiceError(
                f"Cannot start {spec.name}: {spec.argv[0]}: {error.strerror}."
            ) from error
        self._backoff[spec.name].started()
        self._record()

    def _restart(self, spec: ProcessSpec, failures_allowed: int | None) -> None:
        try:
            self._start(spec)
        except ServiceError as error:
            backoff = self._backoff[spec.name]
            delay = backoff.died()
            if failures_allowed is not None and backoff.failures > failures_allowed:
                raise
            self._say(f"error: {error} Trying again in {delay:g} s")

    def _note_death(
        self, process: ManagedProcess, code: int, failures_allowed: int | None
    ) -> None:
        name = process.spec.name
        del self._running[name]
        self._record()
        delay = self._backoff[name].died()
        failures = self._backoff[name].failures
        if failures_allowed is not None and failures > failures_allowed:
            raise ServiceError(
                f"{name} {exit_reason(code)} {failures} times. Its log"
                f" {process.log} ends with:{last_lines(process.log)}"
            )
        self._say(f"{name} {exit_reason(code)}; restarting it in {delay:g} s")

    def _stop(self, processes: list[ManagedProcess]) -> None:
        for process in processes:
            self._say(f"stopping {process.spec.name}")
            process.request_stop()
        began = told = time.monotonic()
        while left := [p for p in processes if p.exit_code() is None]:
            now = time.monotonic()
            for process in left:
                timeout = process.spec.stop_timeout_seconds
                if now - began > timeout or self._is_hurried():
                    self._say(f"killing {process.spec.name}")
                    process.kill()
            if now - told > _TELL_SECONDS:
                told = now
                names = ", ".join(process.spec.name for process in left)
                self._say(f"waiting for {names} to finish ({round(now - began)} s)")
            time.sleep(_POLL_SECONDS)
        for process in processes:
            del self._running[process.spec.name]
        self._record()

    def _record(self) -> None:
        """Write down what runs; a full disk ends nothing, `tend` writes it later."""
        children = [Child(n, p.ref) for n, p in self._running.items()]
        try:
            write_children(self._home, children)
        except OSError as error:
            if self._is_recorded:
                self._say(f"error: the list of processes is not written: {error}")
            self._is_recorded = False
        else:
            self._is_recorded = True


def _is_first(process: ManagedProcess) -> bool:
    return process.spec.name == FIRST_TO_STOP
