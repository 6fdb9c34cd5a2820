"""Debian's Redmine 5 on PostgreSQL, where it is installed (`redmine redmine-pgsql`).

A copy of its code with an instance of its own: the one of the machine is not touched.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg

CODE = Path("/usr/share/redmine")
_LOCKED = Path("/var/lib/redmine/Gemfile.lock")
_SEED = Path(__file__).with_name("seed.rb")
_DATABASE = "redmine_test"


def is_installed() -> bool:
    """Return whether Debian's package and the server that it needs are there."""
    return _LOCKED.exists() and all(map(shutil.which, ("puma", "rake", "rails")))


class Redmine:
    """A server. known: what its seed told of it."""

    def __init__(self, base_url: str, known: dict[str, Any], database_url: str) -> None:
        self.base_url, self.known, self.database_url = base_url, known, database_url

    def url(self, project: str = "shop") -> str:
        """Return the address of a project."""
        return f"{self.base_url}/projects/{project}"

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Use the API as an administrator; return its answer."""
        request = urllib.request.Request(
            f"{self.base_url}{quote(path)}",
            None if body is None else json.dumps(body).encode(),
            {
                "X-Redmine-API-Key": self.known["admin_key"],
                "Content-Type": "application/json",
            },
            method=method,
        )
        with urllib.request.urlopen(request) as answer:
            data = answer.read()
        return json.loads(data) if data.strip() else None

    def execute(self, statement: str) -> None:
        """Do what only the pages of Redmine can."""
        with psycopg.connect(self.database_url, autocommit=True) as connection:
            connection.execute(statement.encode())


@contextmanager
def running_redmine(
    folder: Path, database_url: str, *, issues: int, texts: list[str]
) -> Iterator[Redmine]:
    """Yield a Redmine with a seeded project `shop`; its database goes at the end."""
    with _database(database_url) as url:
        code, environment = _instance(folder, url)
        _run(["rake", "db:migrate"], code, environment)
        written = folder / "texts.json"
        written.write_text(json.dumps(texts))
        seeding = {**environment, "ISSUES": str(issues), "TEXTS": str(written)}
        told = _run(["rails", "runner", str(_SEED)], code, seeding)
        (line,) = [each for each in told.splitlines() if each.startswith("KNOWN ")]
        known = json.loads(line.removeprefix("KNOWN "))
        with _serving(code, environment) as base_url:
            yield Redmine(base_url, known, url)


@contextmanager
def _database(database_url: str) -> Iterator[str]:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {_DATABASE}")
        connection.execute(f"CREATE DATABASE {_DATABASE}")
        try:
            yield urlunsplit(urlsplit(database_url)._replace(path=f"/{_DATABASE}"))
        finally:
            connection.execute(f"DROP DATABASE {_DATABASE} WITH (FORCE)")


def _instance(folder: Path, url: str) -> tuple[Path, dict[str, str]]:
    """Return a copy of the code, for one database, and the environment for it."""
    code = folder / "redmine"
    shutil.copytree(CODE, code, symlinks=True)
    for name in ("instances", "Gemfile.lock", "config/database.yml"):
        (code / name).unlink()
    shutil.copy(_LOCKED, code / "Gemfile.lock")
    instance = code / "instances/default"
    for name in ("config", "files", "log", "tmp"):
        (instance / name).mkdir(parents=True)
    for config in (code / "config", instance / "config"):
        (config / "database.yml").write_text(f"production:\n  url: {url}\n")
    (instance / "config/secret_key.txt").write_text("0" * 64)
    kept = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8"}
    return code, {**kept, "RAILS_ENV": "production", "TZ": "UTC"}


def _run(command: list[str], code: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=code, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[:3000]
    return done.stdout


@contextmanager
def _serving(code: Path, environment: dict[str, str]) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    base_url = f"http://127.0.0.1:{port}"
    command = ["puma", "-q", "-t", "1:4", "-b", f"tcp://127.0.0.1:{port}"]
    with (
        (code / "puma.log").open("w") as log,
        subprocess.Popen(
            command, cwd=code, env=environment, stdout=log, stderr=log
        ) as process,
    ):
        try:
            _wait(base_url, process, code / "puma.log")
            yield base_url
        finally:
            process.terminate()


def _wait(base_url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(f"{base_url}/robots.txt").close()
        except urllib.error.URLError:
            time.sleep(0.2)
        else:
            return
    raise AssertionError(log.read_text()[-3000:])
