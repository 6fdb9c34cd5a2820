"""podman and podman-compose, as the trial uses them: one project, its containers."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
STORES = ("postgres", "valkey")
SERVICES = ("web", "worker", "writer", "reader", "embed", "beat", "follower", "watch")


class TrialError(Exception):
    """Something did not work as it has to."""


def run(
    *argv: str, env: Mapping[str, str] | None = None, feed: str | None = None
) -> str:
    """Run a program; return what it printed. TrialError with its last words."""
    done = subprocess.run(
        argv,
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        input=feed,
        stdin=subprocess.DEVNULL if feed is None else None,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        words = f"{done.stdout}\n{done.stderr}".strip()[-2000:]
        raise TrialError(f"`{' '.join(argv)}` ended with {done.returncode}:\n{words}")
    return done.stdout


def wait_until(
    what: str, is_done: Callable[[], Any], timeout_seconds: float, pause: float = 0.25
) -> float:
    """Ask until the answer is true; return the seconds it took, or raise."""
    began = time.monotonic()
    while not is_done():
        if time.monotonic() - began > timeout_seconds:
            raise TrialError(f"{what}: not within {timeout_seconds:.0f} s")
        time.sleep(pause)
    return time.monotonic() - began


class Project:
    """The containers of one compose project, by the names of their services."""

    def __init__(self, name: str, folder: Path, settings: Mapping[str, str]) -> None:
        self.name = name
        self._env_file = folder / "env"
        self._overrides = folder / "overrides.yml"
        self.settings = dict(settings)

    def compose(self, *words: str) -> str:
        """Run podman-compose with the compose file, the overrides and the secrets."""
        # Secrets go by a file: arguments can be listed by everyone.
        text = "".join(f"{key}={value}\n" for key, value in self.settings.items())
        self._env_file.touch(0o600)
        self._env_file.write_text(text)
        return run(
            *("podman-compose", "-p", self.name, "--env-file", str(self._env_file)),
            *("-f", str(ROOT / "docker-compose.yml"), "-f", str(self._overrides)),
            *words,
        )

    def up(self, *options: str) -> None:
        """Start everything, or bring it to the settings: stores, `prepare`, the rest.

        That is the order of the compose file. podman-compose cannot keep it without
        systemd, by which podman runs health checks: it is given step by step.
        """
        self.compose("up", "-d", "--no-deps", *STORES)
        self.wait_healthy(*STORES)
        self.compose("run", "--rm", "--no-deps", "-T", "prepare")
        self.compose("up", "-d", "--no-deps", *options, *SERVICES)

    def containers(self, service: str = "", *, is_running: bool = True) -> list[str]:
        """Return the ids of the containers of a service, or of all."""
        label = f"label=com.docker.compose.project={self.name}"
        filters = ["--filter", label]
        if service:
            filters += ["--filter", f"label=com.docker.compose.service={service}"]
        shown = [] if is_running else ["--all"]
        return run("podman", "ps", "--quiet", *shown, *filters).split()

    def container(self, service: str) -> str:
        """Return the id of the one container of a service."""
        (found,) = self.containers(service)
        return found

    def inspect(self, container: str) -> dict[str, Any]:
        """Return what podman knows of a container."""
        (found,) = json.loads(run("podman", "inspect", container))
        return dict(found)

    def execute(self, service: str, *words: str, **given: str) -> str:
        """Run a command in a service's container; `given` is its environment."""
        names = [word for name in given for word in ("--env", name)]
        container = self.containers(service)[0]
        return run("podman", "exec", *names, container, *words, env=given)

    def is_healthy(self, service: str) -> bool:
        """Return whether the health check of each of a service's containers passes."""
        found = self.containers(service)
        return bool(found) and all(map(passes_health_check, found))

    def wait_healthy(self, *services: str, timeout_seconds: float = 240) -> float:
        """Wait for health checks; return the seconds."""
        return wait_until(
            f"health of {', '.join(services)}",
            lambda: all(map(self.is_healthy, services)),
            timeout_seconds,
        )

    def kill(self, service: str) -> None:
        """Kill the first process of a service's container, as a crash would."""
        found = self.inspect(self.containers(service)[0])
        os.kill(found["State"]["Pid"], signal.SIGKILL)

    def arguments(self) -> str:
        """Return the arguments of all processes in the containers, as `ps` does."""
        pids = [self.inspect(each)["State"]["Pid"] for each in self.containers()]
        parents = {str(pid) for pid in pids}
        lines = []
        for line in run("ps", "-eo", "pid=,ppid=,args=").splitlines():
            pid, parent, arguments = line.split(None, 2)
            if pid in parents or parent in parents:
                parents.add(pid)
                lines.append(arguments)
        return "\n".join(lines)

    def left_over(self) -> list[str]:
        """Return containers, volumes and networks that are still there."""
        volumes = run("podman", "volume", "ls", "--format", "{{.Name}}").split()
        networks = run("podman", "network", "ls", "--format", "{{.Name}}").split()
        own = re.compile(rf"{re.escape(self.name)}_")
        named = [name for name in [*volumes, *networks] if own.match(name)]
        return [*self.containers(is_running=False), *named]

    def remove(self) -> None:
        """Remove containers, volumes and networks, whatever state they are in."""
        found = self.containers(is_running=False)
        if found:
            options = ("--force", "--depend", "--time", "0", "--volumes")
            run("podman", "rm", *options, *found)
        for kind in ("volume", "network"):
            for name in run("podman", kind, "ls", "--format", "{{.Name}}").split():
                if name.startswith(f"{self.name}_"):
                    run("podman", kind, "rm", "--force", name)


def passes_health_check(container: str) -> bool:
    """Run a container's health check now; without systemd none runs by itself."""
    done = subprocess.run(
        ["podman", "healthcheck", "run", container],
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


class Prober:
    """Asks in a thread, again and again, and counts the answers that failed."""

    def __init__(self, ask: Callable[[], Any], pause: float = 0.1) -> None:
        self.asked = 0
        self.failures: list[str] = []
        self._ask, self._pause = ask, pause
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Prober:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_over.wait(self._pause):
            self.asked += 1
            try:
                self._ask()
            except (OSError, TrialError) as error:
                self.failures.append(str(error))


def image_facts(image: str) -> dict[str, Any]:
    """Return what podman knows of an image."""
    (found,) = json.loads(run("podman", "image", "inspect", image))
    return dict(found)


def compressed_bytes(image: str) -> int:
    """Return the size of an image as a registry has it: its layers with gzip."""
    shell = 'podman save "$1" | gzip -6 | wc -c'
    return int(run("sh", "-c", shell, "sh", image))
