"""The server's main process: services, migrations, processes, and their order."""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType

from devrag.core.errors import DevragError, ServiceError
from devrag.runtime.backoff import Backoff
from devrag.runtime.endpoints import Endpoints
from devrag.runtime.health import check_server_health, server_url
from devrag.runtime.layout import Home, Say
from devrag.runtime.process import ManagedProcess, ProcessSpec, exit_reason
from devrag.runtime.process_group import Fleet
from devrag.runtime.services import EmbeddedServices
from devrag.runtime.state_files import last_lines

# How the line begins that says that everything runs.
READY = "ready: "
_POLL_SECONDS = 0.2
_READY_TIMEOUT_SECONDS = 180
# Deaths of one process that a start survives.
_START_FAILURES = 2


@dataclass(frozen=True, slots=True)
class ServerPlan:
    """What a server consists of. `prepare` runs once, before the processes."""

    host: str
    port: int
    processes: Sequence[ProcessSpec]
    prepare: tuple[str, ...] = ()


class StopRequested(Exception):  # a request, not an error
    """A signal to stop came while the server was starting."""


class Supervisor:
    """Runs a plan until a signal; `run` returns when everything has stopped."""

    def __init__(
        self, home: Home, services: EmbeddedServices, plan: ServerPlan, say: Say
    ) -> None:
        self._home = home
        self._services = services
        self._plan = plan
        self._tell = say
        self._signals = 0
        self._is_stopping = False
        self._endpoints: Endpoints | None = None
        self._service_backoff = Backoff()
        self._fleet = Fleet(
            home, plan.processes, self._say, is_hurried=lambda: self._signals > 1
        )

    def run(self) -> None:
        """Start everything, keep it running, stop it on SIGTERM, SIGINT or SIGHUP.

        Raises DevragError when it cannot start. A second signal hurries the stop.
        """
        before = [
            (number, signal.signal(number, self._on_signal))
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
        ]
        try:
            self._start()
            while True:
                self._check_signal()
                self._tend_services()
                self._fleet.tend()
                time.sleep(_POLL_SECONDS)
        except StopRequested:
            self._write("stopping")
        finally:
            self._is_stopping = True
            self._fleet.stop()
            self._services.stop(self._say)
            for number, handler in before:
                signal.signal(number, handler)
        self._write("stopped")

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        # Only noted: raising here could lose a child that is just being started.
        self._signals += 1

    def _check_signal(self) -> None:
        if self._signals and not self._is_stopping:
            raise StopRequested

    def _say(self, message: str) -> None:
        # Long steps report every two seconds; that is where a signal gets through.
        self._check_signal()
        self._write(message)

    def _write(self, message: str) -> None:
        # The log may be on a disk that is full: a line is missing, nothing ends.
        with suppress(OSError):
            self._tell(message)

    def _start(self) -> None:
        self._endpoints = self._services.start(self._say)
        self._service_backoff.started()
        if self._plan.prepare:
            self._prepare()
        self._fleet.start()
        self._wait_healthy()
        self._fleet.start_deferred()
        self._write(f"{READY}{server_url(self._plan.host, self._plan.port)}")

    def _prepare(self) -> None:
        self._say("preparing the database")
        process = ManagedProcess(ProcessSpec("prepare", self._plan.prepare), self._home)
        try:
            while (code := process.exit_code()) is None:
                self._check_signal()
                time.sleep(0.05)
        finally:
            process.kill()
        if code != 0:
            raise ServiceError(
                f"Cannot prepare the database: the process {exit_reason(code)}. Its "
                f"log {process.log} ends with:{last_lines(process.log)}"
            )

    def _wait_healthy(self) -> None:
        host, port = self._plan.host, self._plan.port
        deadline = time.monotonic() + _READY_TIMEOUT_SECONDS
        while not check_server_health(host, port):
            self._check_signal()
            self._fleet.tend(failures_allowed=_START_FAILURES)
            if time.monotonic() > deadline:
                raise ServiceError(
                    f'{server_url(host, port)}/health did not answer "ok" within'
                    f" {_READY_TIMEOUT_SECONDS} s; see the logs in {self._home.log}."
                )
            time.sleep(_POLL_SECONDS)

    def _tend_services(self) -> None:
        """Start embedded services that died; nothing runs well without them."""
        dead = self._services.dead()
        if not dead or not self._service_backoff.is_due():
            return
        self._say(f"{' and '.join(dead)} died; restarting")
        try:
            endpoints = self._services.start(self._say)
        except (DevragError, OSError) as error:
            delay = self._service_backoff.died()
            self._say(f"error: {error} Trying again in {delay:g} s")
            return
        self._service_backoff.started()
        if endpoints != self._endpoints:
            self._say("the address of a service has changed; restarting all processes")
            self._endpoints = endpoints
            self._fleet.stop()
            self._fleet.start()
            self._fleet.start_deferred()
