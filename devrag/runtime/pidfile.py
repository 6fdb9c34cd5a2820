"""The pid file of the server and the double-start check."""

from __future__ import annotations

import fcntl
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from devrag import __version__
from devrag.core.errors import Conflict
from devrag.runtime.identity import TOLERANCE_SECONDS, live_process
from devrag.runtime.layout import Home, Say
from devrag.runtime.ports import is_port_free
from devrag.runtime.state_files import read_json, write_json


@dataclass(frozen=True, slots=True)
class ServerRecord:
    """The contents of `run/server.pid`; the names are those of its JSON keys."""

    pid: int
    startedAt: str  # noqa: N815
    projectRoot: str  # noqa: N815
    projectName: str  # noqa: N815
    host: str
    port: int
    configPath: str  # noqa: N815
    version: str
    pythonVersion: str  # noqa: N815

    @classmethod
    def of_this_process(
        cls, project_root: Path, config_path: Path, host: str, port: int
    ) -> ServerRecord:
        """Describe the present process as the server."""
        root = project_root.resolve()
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        return cls(
            pid=os.getpid(),
            startedAt=now.replace("+00:00", "Z"),
            projectRoot=str(root),
            projectName=root.name,
            host=host,
            port=port,
            configPath=str(config_path),
            version=__version__,
            pythonVersion=platform.python_version(),
        )

    def is_alive(self) -> bool:
        """Return whether the pid is still the server's.

        A process that got the number later was created after the file was written.
        """
        process = live_process(self.pid)
        started = datetime.fromisoformat(self.startedAt).timestamp()
        return (
            process is not None and process.create_time() <= started + TOLERANCE_SECONDS
        )


def read_record(home: Home) -> ServerRecord | None:
    """Return the pid file's contents, None when there is none."""
    state = read_json(pid_path(home))
    return None if state is None else ServerRecord(**state)


def running_server(home: Home) -> ServerRecord | None:
    """Return the record of the live server, None when there is none."""
    record = read_record(home)
    return record if record is not None and record.is_alive() else None


def ensure_not_running(home: Home, say: Say) -> None:
    """Take the first two steps: is there a pid file, and is its process alive?"""
    record = read_record(home)
    if record is None:
        return
    if record.is_alive():
        raise Conflict(
            f"The server is already running (pid {record.pid}, port {record.port}). "
            "Use `server restart`, or run `server stop` first."
        )
    say(f"warning: removing the pid file of a dead server (pid {record.pid})")
    pid_path(home).unlink(missing_ok=True)


def ensure_port_free(host: str, port: int) -> None:
    """Take the third step, after what a killed server left has been ended."""
    if not is_port_free(host, port):
        raise Conflict(
            f"Port {port} on {host} is used by another program. Stop that program, or "
            "choose another port with --port or DEVRAG_PORT."
        )


@contextmanager
def server_lock(home: Home) -> Iterator[None]:
    """Hold the right to be the home's server; the kernel frees it at any death.

    The pid file alone cannot decide between two starts in the same moment.
    """
    descriptor = os.open(home.run / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        raise Conflict(
            f"Another server is starting or running in {home.root}. Check `server "
            "status`, or run `server stop` first."
        ) from error
    try:
        yield
    finally:
        os.close(descriptor)


@contextmanager
def pid_file(home: Home, record: ServerRecord) -> Iterator[None]:
    """Keep `run/server.pid` (0600) while the server runs."""
    write_json(pid_path(home), asdict(record))
    try:
        yield
    finally:
        if read_record(home) == record:
            pid_path(home).unlink()


def pid_path(home: Home) -> Path:
    """Return where the pid file is."""
    return home.run / "server.pid"
