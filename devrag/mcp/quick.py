"""`mcp` before Django is set up: talk to the server that runs, or start one.

Only where there is neither does the command itself serve, in its own process.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from devrag.core.errors import InvalidInput, ServiceError
from devrag.mcp.bridge import Bridge
from devrag.runtime.api import is_server_ready, server_url
from devrag.runtime.layout import Home
from devrag.runtime.pidfile import ServerRecord, running_server
from devrag.runtime.state_files import read_json, write_json

_READY_SECONDS = 120.0
_POLL_SECONDS = 0.2


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--verbose",
        action="store_true",
        help="Print timings of each call on stderr.",
    )
    parser.add_argument(
        "--log-file",
        type=Path,
        help="Append stderr to this file; most clients do not show it.",
    )


def serve_quickly(argv: Sequence[str]) -> bool:
    """Serve `mcp` by a server that runs beside; say whether that was possible."""
    if argv[1:2] != ["mcp"]:
        return False
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser)
    options, others = parser.parse_known_args(argv[2:])
    if others:  # --help and what is no option: the command's to answer
        return False
    home = Home(Path(settings.DEVRAG_HOME))
    if running_server(home) is None and not settings.IS_EMBEDDED_DATABASE:
        return False
    divert_stderr(options.log_file)
    with _stop_signals(), _use(home.ensure()):
        record = _ready_server(home)
        address = urlsplit(server_url(record.host, record.port))
        output, sys.stdout = sys.stdout.buffer, sys.stderr
        bridge = Bridge(
            str(address.hostname), record.port, output, is_verbose=options.verbose
        )
        bridge.run(sys.stdin.buffer)
    return True


def divert_stderr(path: Path | None) -> None:
    """Let all that is said on stderr go to the end of a file."""
    if path is None:
        return
    try:
        with path.open("ab") as file:
            os.dup2(file.fileno(), 2)
    except OSError as error:
        raise InvalidInput(
            f"Cannot write the log {path}: {error.strerror}. Choose another file with "
            "--log-file."
        ) from error


@contextmanager
def _stop_signals() -> Iterator[None]:
    """Turn signals into an orderly end: what was started is to be stopped."""

    def leave(_number: int, _frame: Any) -> None:
        raise SystemExit(0)

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, leave)
    yield


@contextmanager
def _use(home: Home) -> Iterator[None]:
    """Be one of those who use the server; the last one stops it, if we started it.

    The kernel counts: a lock that all share is gone with the last of them.
    """
    descriptor = os.open(home.run / "mcp.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    try:
        yield
    finally:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _stop_ours(home)
        except BlockingIOError:
            pass  # another client still uses it
        finally:
            os.close(descriptor)


def _ready_server(home: Home) -> ServerRecord:
    """Return the server once it answers; start it when there is none."""
    if running_server(home) is None:
        _start(home)
    began = time.monotonic()
    while time.monotonic() - began < _READY_SECONDS:
        record = running_server(home)
        if record is not None and is_server_ready(record.host, record.port):
            return record
        time.sleep(_POLL_SECONDS)
    raise ServiceError(
        "The server does not respond at /ready. Check `devrag server status` and its "
        "logs."
    )


def _start(home: Home) -> None:
    """Start the server; of two clients that do so at once one waits for the other."""
    argv = [sys.executable, *settings.MANAGE, "server", "start"]
    done = subprocess.run(
        argv, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False
    )
    record = running_server(home)
    if record is None:
        raise ServiceError("The server could not be started; see the error above.")
    if done.returncode == 0:
        write_json(_mark(home), {"pid": record.pid})


def _stop_ours(home: Home) -> None:
    record, ours = running_server(home), read_json(_mark(home))
    if record is None or ours is None or ours["pid"] != record.pid:
        return
    from devrag.runtime import server  # noqa: PLC0415 - seldom

    server.stop(home, _say)
    _mark(home).unlink(missing_ok=True)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _mark(home: Home) -> Path:
    """Return where it says which server was started for clients."""
    return home.run / "mcp.server"
