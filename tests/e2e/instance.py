"""A real installation of one's own: `manage.py server start` and what it answers."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from devrag.runtime import server
from devrag.runtime.layout import Home
from devrag.runtime.ports import choose_port
from devrag.runtime.services import EmbeddedServices
from tests.services import KEYS
from tests.waiting import wait_until

CHECKOUT = Path(__file__).parents[2]
# What the in-process tests set for themselves; empty beats what `.env` says.
_EMPTY = (
    *("DATABASE_URL", "REDIS_URL", "POSTGRES_HOST", "SECRET_KEY", "GIT_CLONE_DIR"),
    *("WIKI_OUTPUT_DIR", *KEYS),
)
_NOT_OURS = ("ALLOWED_HOSTS", "HTTPS", "OPEN_READING", "HTTP_PORT", "LLM_PROVIDER")
# GIT_*: a test run from a git hook must not act on that repository.
_ENDED = ("completed", "failed", "cancelled", "skipped")


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer; redirects are not followed."""

    status: int
    headers: Mapping[str, str]
    text: str

    def json(self) -> Any:
        return json.loads(self.text)


class Instance:
    """A DEVRAG_HOME with a port, its commands and its HTTP doors.

    checkout: whose code runs.
    """

    def __init__(self, checkout: Path = CHECKOUT) -> None:
        # PostgreSQL runs as another user when we are root: it must be able to pass.
        self.root = Path(tempfile.mkdtemp(prefix="devrag-e2e-"))
        self.root.chmod(0o711)
        self.home = self.root / "home"
        self.sources = self.root / "sources"
        self.sources.mkdir()
        self.port = choose_port(None)
        self.url = f"http://127.0.0.1:{self.port}"
        kept = {key: value for key, value in os.environ.items() if _is_kept(key)}
        self.env = {
            **kept,
            **dict.fromkeys(_EMPTY, ""),
            "DEVRAG_HOME": str(self.home),
            "DEVRAG_PORT": str(self.port),
            "SOURCE_ROOTS": str(self.sources),
        }
        self.use(checkout)
        self.token = ""

    def use(self, checkout: Path) -> None:
        """Let further commands run another version of the code."""
        self.checkout = checkout
        self.env["PYTHONPATH"] = str(checkout)

    def run(
        self, *argv: str, seconds: float = 180, **env: str
    ) -> subprocess.CompletedProcess[str]:
        """Run `manage.py …` to its end."""
        return subprocess.run(
            [sys.executable, str(self.checkout / "manage.py"), *argv],
            cwd=self.root,
            env={**self.env, **env},
            check=False,
            capture_output=True,
            text=True,
            timeout=seconds,
        )

    def ask(self, *argv: str) -> Any:
        """Run a command with --json that must succeed; return its document."""
        done = self.run(*argv, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    def start(self) -> None:
        done = self.run("server", "start", seconds=600)
        assert done.returncode == 0, done.stdout + done.stderr

    def end(self) -> None:
        """Stop everything, by force if need be, and remove the folder."""
        pids = self.pids()
        done = self.run("server", "stop")
        left = [pid for pid in pids.values() if is_running(pid)]
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.root)
        assert (done.returncode, left) == (0, []), done.stderr

    def pids(self) -> dict[str, int]:
        """Return the processes as `server status --json` lists them."""
        home = Home(self.home)
        state = server.status(home, EmbeddedServices.of(home)).as_json()
        rows = {"server": state.get("pid"), **state["services"], **state["processes"]}  # type: ignore[dict-item]
        return {name: pid for name, pid in rows.items() if pid}

    def http(
        self,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """GET, or POST when there is a body (JSON unless it is text)."""
        sent = {"Connection": "close", **(headers or {})}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        data = body if isinstance(body, str) or body is None else json.dumps(body)
        method = "GET" if body is None else "POST"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        with closing(connection):
            connection.request(method, path, data and data.encode(), sent)
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
            return Answer(answer.status, dict(answer.getheaders()), text)

    def api(self, path: str, body: Any = None) -> Answer:
        """Ask the REST interface with the instance's token."""
        headers = {"Content-Type": "application/json"}
        return self.http(f"/api/v1{path}", body, token=self.token, headers=headers)

    def products(self) -> list[str]:
        return [row["productName"] for row in self.api("/products").json()]

    def wait_job(self, job_id: str, seconds: float = 90) -> dict[str, Any]:
        """Return the job when it has ended; the server may be away meanwhile."""

        def ended() -> dict[str, Any] | None:
            try:
                answer = self.api(f"/jobs/{job_id}")
            except (OSError, http.client.HTTPException):
                return None
            if answer.status != 200 or answer.json()["status"] not in _ENDED:
                return None
            document: dict[str, Any] = answer.json()
            return document

        found = wait_until(ended, seconds, f"the end of job {job_id}")
        assert found is not None
        return found

    def is_healthy(self) -> bool:
        try:
            return self.http("/health").status == 200
        except (OSError, http.client.HTTPException):
            return False

    def finds(self, words: str, path: str) -> bool:
        """Return whether the search page leads to that file."""
        try:
            answer = self.http(f"/search?mode=keyword&q={words}")
        except (OSError, http.client.HTTPException):
            return False
        return answer.status == 200 and path in answer.text


def _is_kept(key: str) -> bool:
    return key not in _NOT_OURS and not key.startswith(("GIT_", "POSTGRES_"))


def is_running(pid: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])
