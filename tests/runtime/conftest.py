"""Homes that clean up after themselves, and a tiny project with a real server."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from devrag.runtime import server
from devrag.runtime.layout import Home
from devrag.runtime.ports import choose_port
from devrag.runtime.postgres import EmbeddedPostgres
from devrag.runtime.services import EmbeddedServices
from tests.waiting import wait_until

PROJECT = Path(__file__).parent / "project"


@contextmanager
def a_home() -> Iterator[Home]:
    """A home that the user `nobody` can reach; what runs in it is stopped."""
    folder = Path(tempfile.mkdtemp(prefix="devrag-runtime-"))
    folder.chmod(0o711)
    home = Home(folder / "home").ensure()
    yield home
    server.stop(home, print)
    shutil.rmtree(folder)


@pytest.fixture
def home() -> Iterator[Home]:
    with a_home() as home:
        yield home


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture(scope="session")
def session_postgres() -> Iterator[Home]:
    """One PostgreSQL for the tests that kill it, each starting it again."""
    with a_home() as home:
        EmbeddedPostgres(home).start(print)
        yield home


class Project:
    """The tiny project with its own home and port."""

    def __init__(self, home: Home, *, embedded: bool = False) -> None:
        self.home = home
        self.output = ""
        self.port = choose_port(None)
        self.env = {
            **os.environ,
            "DEVRAG_HOME": str(home.root),
            "DEVRAG_PORT": str(self.port),
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "PYTHONWARNINGS": "default",
            **({"EMBEDDED": "1"} if embedded else {}),
        }

    def server(self, *argv: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run `manage.py server …` to its end; hangs if stdio were not detached."""
        return subprocess.run(
            [sys.executable, PROJECT / "manage.py", "server", *argv],
            env={**self.env, **env},
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )

    def start(self, *argv: str) -> dict[str, Any]:
        result = self.server("start", *argv)
        assert result.returncode == 0, result.stdout + result.stderr
        self.output = result.stdout
        return self.status()

    def status(self) -> dict[str, Any]:
        services = EmbeddedServices.of(self.home)
        return server.status(self.home, services).as_json()

    def record(self) -> dict[str, Any]:
        return json.loads((self.home.run / "server.pid").read_text())

    def children(self) -> dict[str, int]:
        rows = json.loads((self.home.run / "children.json").read_text())
        return {row["name"]: row["pid"] for row in rows}

    def kill_server(self) -> None:
        """Kill the supervisor the hard way and wait until it is gone."""
        pid = self.record()["pid"]
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not is_running(pid))


def is_running(pid: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.fixture(name="is_running")
def is_running_fixture() -> Callable[[int], bool]:
    return is_running


@pytest.fixture
def project(home: Home) -> Project:
    """A server without embedded services: quick to start."""
    return Project(home)


@pytest.fixture(scope="module")
def running_project() -> Iterator[Project]:
    """A started server for tests that only look at it."""
    with a_home() as home:
        project = Project(home)
        project.start("--log", str(home.root / "my.log"))
        yield project


@pytest.fixture
def embedded_project(home: Home) -> Project:
    """A server with embedded PostgreSQL and Valkey."""
    return Project(home, embedded=True)
