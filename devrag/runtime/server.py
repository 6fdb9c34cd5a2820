"""The server from outside: run it here, start it in the background, look, stop it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import BinaryIO

from devrag.core.errors import InvalidInput, ServiceError
from devrag.core.exit_codes import PREFIX
from devrag.runtime.child_records import end_orphans, read_children
from devrag.runtime.health import check_server_health, server_url
from devrag.runtime.identity import ProcessRef, end_processes, wait_gone
from devrag.runtime.layout import Home, Say
from devrag.runtime.pidfile import (
    ServerRecord,
    ensure_not_running,
    ensure_port_free,
    pid_file,
    pid_path,
    read_record,
    running_server,
    server_lock,
)
from devrag.runtime.registry import register_server
from devrag.runtime.services import EmbeddedServices
from devrag.runtime.state_files import open_log
from devrag.runtime.supervisor import READY, ServerPlan, Supervisor

# Longer than all the supervisor's own timeouts for children and services together.
STOP_TIMEOUT_SECONDS = 420.0
# Nobody is served before they are gone. What they are at is done again, as after any
# other loss of a process; only an ordered stop waits for it.
_ORPHANS_SECONDS = 3.0
_TELL_SECONDS = 3.0
_POLL_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """What `server status` shows; pids are None for what does not run."""

    is_running: bool
    is_healthy: bool
    record: ServerRecord | None
    url: str | None
    services: dict[str, int | None] = field(default_factory=dict)
    processes: dict[str, int | None] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """Return the document of `server status --json`."""
        return {
            "running": self.is_running,
            "healthy": self.is_healthy,
            "url": self.url,
            **(asdict(self.record) if self.record else {}),
            "services": self.services,
            "processes": self.processes,
        }


def run_here(
    home: Home,
    services: EmbeddedServices,
    plan: ServerPlan,
    record: ServerRecord,
    say: Say,
) -> None:
    """Be the server until a signal: the double-start check, then the supervisor."""
    home.ensure()
    ensure_not_running(home, say)
    with server_lock(home):
        end_orphans(home, say, _ORPHANS_SECONDS)
        ensure_port_free(plan.host, plan.port)
        is_embedded = None not in (services.postgres, services.valkey)
        with pid_file(home, record):
            register_server(home, record, say, is_embedded=is_embedded)
            Supervisor(home, services, plan, say).run()


def start_in_background(
    home: Home, argv: Sequence[str], log: Path, host: str, port: int, say: Say
) -> ServerRecord:
    """Start a detached server process; return when /health is ok and all is started.

    argv: the command that calls `run_here`. What it says goes to the log, and from
    there to `say` meanwhile.
    """
    home.ensure()
    ensure_not_running(home, say)
    with _open_server_log(log) as output:
        began = offset = os.fstat(output.fileno()).st_size
        child = subprocess.Popen(  # detached: it outlives this command
            argv,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        while not _is_ready(home, child.pid, host, port, log, began):
            code = child.poll()
            offset = _tell_new_lines(log, offset, say)
            if code is not None:
                raise ServiceError(_start_failure(log, began))
            time.sleep(_POLL_SECONDS)
    except KeyboardInterrupt:
        child.terminate()
        raise
    _tell_new_lines(log, offset, say)
    child.returncode = 0  # it lives on without us: no warning about a lost child
    record = running_server(home)
    if record is None:
        raise ServiceError(f"The server exited right after it was started; see {log}.")
    return record


def stop(
    home: Home, say: Say, timeout_seconds: float = STOP_TIMEOUT_SECONDS
) -> ServerRecord | None:
    """Stop the server and all that a killed one left; return what was running."""
    record = running_server(home)
    if record is not None:
        _stop_process(home, record, say, timeout_seconds)
    if home.run.is_dir():
        end_orphans(home, say)
        EmbeddedServices.of(home).stop(say)
        pid_path(home).unlink(missing_ok=True)
    return record


def status(home: Home, services: EmbeddedServices) -> ServerStatus:
    """Return what runs, by process and by /health."""
    record = running_server(home)
    return ServerStatus(
        is_running=record is not None,
        is_healthy=record is not None and check_server_health(record.host, record.port),
        record=record,
        url=server_url(record.host, record.port) if record else None,
        services=services.pids(),
        processes={
            child.name: child.ref.pid if child.ref.is_alive() else None
            for child in read_children(home)
        },
    )


def _open_server_log(log: Path) -> BinaryIO:
    try:
        return open_log(log)
    except OSError as error:
        raise InvalidInput(
            f"Cannot write the log {log}: {error.strerror}. Choose another file with "
            "--log."
        ) from error


def _is_ready(
    home: Home, pid: int, host: str, port: int, log: Path, offset: int
) -> bool:
    """Return whether our server reported that it answers and that everything runs."""
    record = read_record(home)
    if record is None or record.pid != pid:
        return False
    if not log.is_file():  # /dev/null, for example: there is nothing to read
        return check_server_health(host, port)
    with log.open("rb") as file:
        file.seek(offset)
        return any(line.startswith(READY.encode()) for line in file)


def _stop_process(
    home: Home, record: ServerRecord, say: Say, timeout_seconds: float
) -> None:
    server = ProcessRef.of(record.pid)
    if server is None:
        return
    say(f"stopping the server (pid {record.pid})")
    server.send(signal.SIGTERM)
    began = time.monotonic()
    while wait_gone([server], _TELL_SECONDS):
        seconds = round(time.monotonic() - began)
        if seconds >= timeout_seconds:
            say(f"the server did not stop within {seconds} s; killing it")
            end_processes([server], 0)
            return
        say(f"waiting for {_names_left(home)} ({seconds} s)")


def _names_left(home: Home) -> str:
    names = [child.name for child in read_children(home) if child.ref.is_alive()]
    return ", ".join(names) or "the database to close"


def _tell_new_lines(log: Path, offset: int, say: Say) -> int:
    """Pass on complete lines of the log from the offset; return the next offset."""
    with log.open("rb") as file:
        file.seek(offset)
        text, newline, _ = file.read().rpartition(b"\n")
    for line in text.decode(errors="replace").splitlines():
        if not line.startswith(PREFIX):  # that one is the error of our own command
            say(line)
    return offset + len(text) + len(newline)


def _start_failure(log: Path, offset: int) -> str:
    """Return why the server in the background gave up: its last words in the log."""
    text = log.read_bytes()[offset:].decode(errors="replace")
    words = f"\n{text}".rpartition(f"\n{PREFIX}")[2] if PREFIX in text else ""
    return words.rstrip() or f"The server did not start; see {log}."
