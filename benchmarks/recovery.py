"""Measure how long killed processes are missed; prints one JSON object.

    python benchmarks/recovery.py [--times 3] [--only supervisor web worker …]

Starts an installation of its own in a temporary folder and indexes a small repository.
Then it kills one process at a time (SIGKILL) and asks every 50 ms: seconds until
`/ready` and until `/health` answer 200 again, and until a search finds the file; the
slowest answer meanwhile, and their statuses. `supervisor`: the server's main process;
`devrag server start` is called at once, as systemd would.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).parent.parent
_LONGEST_SECONDS, _PAUSE_SECONDS = 180.0, 0.05
_EMPTY = ("DATABASE_URL", "REDIS_URL", "POSTGRES_HOST", "SECRET_KEY", "GIT_CLONE_DIR")
_DEFAULTS = ("ALLOWED_HOSTS", "HTTPS", "OPEN_READING", "HTTP_PORT", "LLM_PROVIDER")
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--times 1 --only web"


@dataclass(frozen=True, slots=True)
class Installation:
    """A DEVRAG_HOME of its own, with a server on a free port."""

    root: Path
    port: int

    def begin(self, *argv: str) -> subprocess.Popen[str]:
        """Start a command."""
        kept = {k: v for k, v in os.environ.items() if k not in _DEFAULTS}
        return subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), *argv],
            cwd=self.root,
            env={
                **kept,
                **dict.fromkeys(_EMPTY, ""),
                "DEVRAG_HOME": str(self.root / "home"),
                "DEVRAG_PORT": str(self.port),
                "PYTHONPATH": str(ROOT),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *argv: str) -> str:
        """Run a command to its end, which must be a good one."""
        command = self.begin(*argv)
        output, _ = command.communicate()
        assert command.returncode == 0, output
        return output

    def status(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads(self.run("server", "status", "--json"))
        return state

    def get(self, path: str) -> tuple[int, str]:
        """Return status and text of an answer, 0 without one."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        with closing(connection):
            try:
                connection.request("GET", path, headers={"Connection": "close"})
                answer = connection.getresponse()
                return answer.status, answer.read().decode(errors="replace")
            except (OSError, http.client.HTTPException):
                return 0, ""


Act = Callable[[], None]
Kill = Callable[[Installation], Act]


def main() -> None:
    options = _options()
    with _installation() as made:
        report = {
            name: _measure(made, _KILLS[name], options.times) for name in options.only
        }
    print(json.dumps(report, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=_KILLS, default=list(_KILLS))
    return parser.parse_args()


@contextmanager
def _installation() -> Iterator[Installation]:
    # PostgreSQL runs as another user when we are root: it must be able to pass.
    root = Path(tempfile.mkdtemp(prefix="devrag-recovery-"))
    root.chmod(0o711)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = int(probe.getsockname()[1])
    made = Installation(root, port)
    try:
        made.run("server", "start")
        sources = root / "sources"
        sources.mkdir()
        (sources / "till.py").write_text("def charge(): pass\n")
        made.run("index", str(sources), "--product", "shop", "--source", "shop")
        yield made
    finally:
        made.run("server", "stop")
        shutil.rmtree(root)


def _measure(made: Installation, kill: Kill, times: int) -> dict[str, Any]:
    runs = [_recover(made, kill) for _ in range(times)]
    names = ("ready", "healthy", "searchable")
    statuses = sum((run["statuses"] for run in runs), Counter[str]())
    return {
        **{name: _spread([run[name] for run in runs]) for name in names},
        "slowest_answer": max(run["slowest"] for run in runs),
        "statuses": dict(sorted(statuses.items())),
    }


def _recover(made: Installation, kill: Kill) -> dict[str, Any]:
    """Kill, and ask until all is as before."""
    _wait_calm(made)
    checks: dict[str, Callable[[], tuple[int, str]]] = {
        "ready": lambda: made.get("/ready"),
        "healthy": lambda: made.get("/health"),
        "searchable": lambda: made.get("/search?mode=keyword&q=charge"),
    }
    act = kill(made)  # finds the process first, which takes a second
    back: dict[str, float] = {}
    seen, slowest = Counter[str](), 0.0
    began = time.monotonic()
    act()
    while len(back) < len(checks):
        for name, check in checks.items():
            asked = time.monotonic()
            status, text = check()
            now = time.monotonic()
            slowest = max(slowest, now - asked)
            seen[str(status)] += 1
            is_well = status == 200 and (name != "searchable" or "till.py" in text)
            # What fell back was not over yet.
            back = {**back, name: now - began} if is_well and name not in back else back
            back = back if is_well else {k: v for k, v in back.items() if k != name}
        assert time.monotonic() - began < _LONGEST_SECONDS, back
        time.sleep(_PAUSE_SECONDS)
    return {**back, "statuses": seen, "slowest": round(slowest, 2)}


def _spread(seconds: list[float]) -> dict[str, float]:
    return {
        "p50_seconds": round(statistics.median(seconds), 2),
        "max_seconds": round(max(seconds), 2),
    }


def _wait_calm(made: Installation) -> None:
    """Wait until all processes run for a moment, so that kills do not add up."""
    deadline = time.monotonic() + _LONGEST_SECONDS
    calm_since = time.monotonic()
    while time.monotonic() - calm_since < 3:
        if made.get("/health")[0] != 200 or not all(
            made.status()["processes"].values()
        ):
            calm_since = time.monotonic()
        assert time.monotonic() < deadline, made.status()


def _kill_supervisor(made: Installation) -> Act:
    state = made.status()
    web = psutil.Process(state["processes"]["web"])

    def act() -> None:
        os.kill(state["pid"], signal.SIGKILL)
        made.begin("server", "start")
        web.wait(_LONGEST_SECONDS)  # it answers for a moment longer

    return act


def _kill_process(name: str) -> Kill:
    return lambda made: _killing(made.status()["processes"][name])


def _kill_postmaster(made: Installation) -> Act:
    return _killing(made.status()["services"]["PostgreSQL"])


def _kill_backend(made: Installation) -> Act:
    """Kill the server's side of a connection: PostgreSQL then restarts them all."""
    postmaster = psutil.Process(made.status()["services"]["PostgreSQL"])
    backends = [
        each for each in postmaster.children() if " devrag " in " ".join(each.cmdline())
    ]
    return _killing(backends[0].pid)


def _killing(pid: int) -> Act:
    return partial(os.kill, pid, signal.SIGKILL)


_KILLS: dict[str, Kill] = {
    "supervisor": _kill_supervisor,
    "web": _kill_process("web"),
    "worker": _kill_process("worker"),
    "database backend": _kill_backend,
    "database": _kill_postmaster,
}


if __name__ == "__main__":
    main()
