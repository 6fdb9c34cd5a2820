"""An installation of its own on a disk of its own, that may be broken in any way.

Embedded: `devrag server start` with its own PostgreSQL and Valkey. Networked: both run
beside it, as in production, and are reached through proxies.
"""

from __future__ import annotations

import http.client
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psutil

from benchmarks.fault_injection.proxy import Proxy
from devrag.runtime.child_records import read_children
from devrag.runtime.endpoints import Endpoints, read_endpoints
from devrag.runtime.layout import Home
from devrag.runtime.pidfile import running_server
from devrag.runtime.services import EmbeddedServices

ROOT = Path(__file__).parents[2]
PROCESSES = (
    *("web", "worker", "writer", "reader", "embed", "beat", "follower", "watch"),
)
_DISK = "size=5g"
_NOT_OURS = (
    *("DATABASE_URL", "REDIS_URL", "POSTGRES_HOST", "SECRET_KEY", "GIT_CLONE_DIR"),
    *("ALLOWED_HOSTS", "HTTPS", "OPEN_READING", "HTTP_PORT", "LLM_PROVIDER"),
    *("WIKI_OUTPUT_DIR", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"),
)
_TOKEN = ("token", "create", "chaos", "--scopes", "read,index,wiki,admin", "--json")


class Ground:
    """A folder with an installation in it. models: a folder with a local model."""

    def __init__(self, *, is_networked: bool, models: Path | None = None) -> None:
        # PostgreSQL runs as another user when we are root: it must be able to pass.
        self.root = Path(tempfile.mkdtemp(prefix="devrag-chaos-"))
        self.root.chmod(0o711)
        self.is_networked = is_networked
        # Only root can have a disk that is small enough to be filled.
        self.has_disk = os.geteuid() == 0 and _mount(self.root)
        self.home = Home(self.root / "home").ensure()
        if models is not None:
            self.home.models.rmdir()
            self.home.models.symlink_to(models)
        self.log = self.root / "server.log"
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = int(probe.getsockname()[1])
        self.proxies: dict[str, Proxy] = {}
        self.env = _environment(self.home, self.port)
        self.token = ""
        self.services = self._services()

    def start(self) -> None:
        """Start everything, and make a token for what is asked."""
        if self.is_networked:
            self._connect(self.services.start(_ignore))
        self.run("server", "start")
        self.token = json.loads(self.run(*_TOKEN))["token"]

    def end(self) -> None:
        """Stop everything and remove the folder."""
        for proxy in self.proxies.values():
            proxy.restore()
        self.run("server", "stop")
        self.services.stop(_ignore)
        for proxy in self.proxies.values():
            proxy.close()
        if self.has_disk:
            subprocess.run(["umount", "-l", str(self.root)], check=True)
        shutil.rmtree(self.root)

    def begin(self, *argv: str) -> subprocess.Popen[str]:
        """Start a command; what it says goes to a log."""
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, str(ROOT / "manage.py"), *argv],
                cwd=self.root,
                env=self.env,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )

    def run(self, *argv: str) -> str:
        """Run a command to its end, which must be a good one."""
        command = self.begin(*argv)
        output, _ = command.communicate()
        assert command.returncode == 0, (argv, output, self.log.read_text()[-2000:])
        return output

    def send(
        self, path: str, body: Any = None, *, seconds: float = 30
    ) -> tuple[int, Any]:
        """Return status and document of an answer; 0 and None without one."""
        headers = {"Authorization": f"Bearer {self.token}", "Connection": "close"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        made = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        with closing(made):
            try:
                made.request(
                    "GET" if body is None else "POST",
                    path,
                    None if body is None else json.dumps(body),
                    headers,
                )
                answer = made.getresponse()
                return answer.status, json.loads(answer.read())
            except ValueError:
                return answer.status, None
            except (OSError, http.client.HTTPException):
                return 0, None

    def supervisor(self) -> int | None:
        """Return the pid of the main process."""
        record = running_server(self.home)
        return record.pid if record else None

    def pids(self) -> dict[str, int]:
        """Return devrag's own processes that run, by name."""
        children = read_children(self.home)
        return {each.name: each.ref.pid for each in children if each.ref.is_alive()}

    def service(self, name: str) -> int:
        """Return the pid of PostgreSQL or Valkey."""
        pid = self.services.pids()[name]
        assert pid is not None, name
        return pid

    def endpoints(self) -> Endpoints:
        """Return the addresses of the services, past any proxy."""
        found = read_endpoints(self.services_home)
        assert found is not None
        return found

    @property
    def services_home(self) -> Home:
        return Home(self.root / "services") if self.is_networked else self.home

    def kill_tree(self, name: str) -> None:
        """Kill a process with all its children in the same moment."""
        pid = self.pids().get(name)
        if pid is None:
            return
        children = psutil.Process(pid).children(recursive=True)
        for each in (pid, *(child.pid for child in children)):
            try:
                os.kill(each, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def _services(self) -> EmbeddedServices:
        return EmbeddedServices.of(self.services_home.ensure())

    def _connect(self, endpoints: Endpoints) -> None:
        """Put proxies between, and let devrag know only those."""
        for variable, url in (
            ("DATABASE_URL", endpoints.database_url),
            ("REDIS_URL", endpoints.redis_url),
        ):
            parts = urlsplit(str(url))
            proxy = Proxy((str(parts.hostname), int(parts.port or 0)))
            self.proxies[variable] = proxy
            place = parts.netloc.rpartition(":")[0] + f":{proxy.port}"
            self.env[variable] = urlunsplit(parts._replace(netloc=place))
        secret = secrets.token_urlsafe(50)
        self.env |= {
            "SECRET_KEY": secret,
            "HTTPS": "false",
            "ALLOWED_HOSTS": "127.0.0.1",
        }


def _environment(home: Home, port: int) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in _NOT_OURS}
    return {
        **{k: v for k, v in kept.items() if not k.startswith("GIT_")},
        **dict.fromkeys(("DATABASE_URL", "REDIS_URL", "SECRET_KEY"), ""),
        "DEVRAG_HOME": str(home.root),
        "DEVRAG_PORT": str(port),
        "SOURCE_ROOTS": str(home.root.parent.parent),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "",
        "API_RATE_PER_MINUTE": "0",
        # Users' own list of servers is none of ours.
        "XDG_STATE_HOME": str(home.root.parent / "state"),
        "HOME": str(home.root.parent),
    }


def _mount(root: Path) -> bool:
    """Return whether the folder could get a disk of its own."""
    argv = [
        "mount",
        "-t",
        "tmpfs",
        "-o",
        f"{_DISK},mode=711",
        "devrag-chaos",
        str(root),
    ]
    return subprocess.run(argv, capture_output=True, check=False).returncode == 0


def _ignore(_message: str) -> None:
    """Take progress that nobody reads."""
