"""The embedded Valkey of a DEVRAG_HOME: configuration, life cycle, adoption."""

from __future__ import annotations

import contextlib
import secrets
import subprocess
import time
from dataclasses import asdict, dataclass, replace

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from devrag.core.environments import minimal_environment
from devrag.core.errors import ServiceError
from devrag.runtime.binaries import valkey_binary
from devrag.runtime.identity import (
    ProcessRef,
    end_processes,
    processes_working_in,
    wait_gone,
)
from devrag.runtime.layout import Home, Say
from devrag.runtime.ports import LOOPBACK, choose_port
from devrag.runtime.state_files import last_lines, open_log, read_json, write_json
from devrag.runtime.state_files import write_private as write_configuration

_START_TIMEOUT_SECONDS = 600
_STOP_TIMEOUT_SECONDS = 30


@dataclass(frozen=True, slots=True)
class _State:
    """What `run/valkey.json` keeps (0600)."""

    port: int
    password: str
    pid: int = 0
    created: float = 0.0

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@{LOOPBACK}:{self.port}/0"

    @property
    def process(self) -> ProcessRef:
        return ProcessRef(self.pid, self.created)


class EmbeddedValkey:
    """One server for one home, its data in DEVRAG_HOME/valkey."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._state_path = home.run / "valkey.json"

    @property
    def pid(self) -> int | None:
        """The server's pid, None when it does not run."""
        state = self._read_state()
        return state.pid if state and state.process.is_alive() else None

    def start(self, say: Say) -> str:
        """Start (or adopt a running) server; return its URL."""
        state = self._read_state()
        if state is not None and self._is_usable(state):
            say(f"Valkey is already running (pid {state.pid})")
            return state.url
        say("starting Valkey")
        # Two servers on one append-only file would ruin it.
        end_processes(self._running(), _STOP_TIMEOUT_SECONDS)
        port = choose_port(state.port if state else None)
        password = state.password if state else secrets.token_urlsafe(24)
        return self._launch(_State(port, password), say).url

    def stop(self) -> None:
        """Stop the server if it runs, whoever started it; its data is on disk then."""
        running = self._running()
        state = self._read_state()
        if running and state is not None:
            # It closes the connection instead of answering.
            with contextlib.suppress(redis.RedisError), _client(state) as client:
                client.shutdown()
        end_processes(wait_gone(running, 5), _STOP_TIMEOUT_SECONDS)

    def _running(self) -> list[ProcessRef]:
        return processes_working_in(self._home.valkey, "valkey-server")

    def _launch(self, state: _State, say: Say) -> _State:
        configuration = self._home.run / "valkey.conf"
        write_configuration(configuration, self._configuration(state))
        log_path = self._home.log / "valkey.log"
        with open_log(log_path) as log:
            # It goes to the background by itself: no child that we would have to reap.
            subprocess.run(
                [valkey_binary(), configuration],
                env=minimal_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self._home.valkey,
                check=False,  # whether it runs is looked at below
            )
        for process in self._running():
            state = replace(state, pid=process.pid, created=process.created)
            write_json(self._state_path, asdict(state))
        if not self._wait_ready(state, say):
            raise ServiceError(
                f"Valkey did not start on {LOOPBACK}:{state.port}. Its log {log_path}"
                f" ends with:{last_lines(log_path)}"
            )
        return state

    def _wait_ready(self, state: _State, say: Say) -> bool:
        began = told = time.monotonic()
        while (
            self.pid is not None and time.monotonic() - began < _START_TIMEOUT_SECONDS
        ):
            if _answers(state):
                return True
            if time.monotonic() - told > 2:
                told = time.monotonic()
                say(f"Valkey is loading its data ({round(told - began)} s)")
            time.sleep(0.02)
        return False

    def _is_usable(self, state: _State) -> bool:
        return state.process in self._running() and _answers(state)

    def _configuration(self, state: _State) -> str:
        return "\n".join(
            (
                f"bind {LOOPBACK}",
                f"port {state.port}",
                f"requirepass {state.password}",
                f'dir "{self._home.valkey}"',
                "daemonize yes",
                f'pidfile "{self._home.valkey / "valkey.pid"}"',
                f'logfile "{self._home.log / "valkey.log"}"',
                "appendonly yes",
                "appendfsync everysec",
                "aof-load-truncated yes",
                'save ""',
                "maxmemory-policy noeviction",
                "",
            )
        )

    def _read_state(self) -> _State | None:
        state = read_json(self._state_path)
        return None if state is None else _State(**state)


def _client(state: _State) -> redis.Redis:
    return redis.Redis(
        host=LOOPBACK,
        port=state.port,
        password=state.password,
        socket_timeout=5,
        retry=Retry(NoBackoff(), 0),  # a closed connection is an answer here
    )


def _answers(state: _State) -> bool:
    try:
        with _client(state) as client:
            return bool(client.ping())
    except redis.RedisError:  # not listening yet, or still loading its data
        return False
