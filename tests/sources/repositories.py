"""Real git repositories for tests, with a fixed identity and clock."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from devrag.sources.connectors import Credentials, Entry, Unlisted
from devrag.sources.connectors.types import Connector, Revision
from devrag.sources.hosts import AddressRules

IDENTITY = {
    "GIT_AUTHOR_NAME": "Alice",
    "GIT_AUTHOR_EMAIL": "alice@example.com",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_NAME": "Alice",
    "GIT_COMMITTER_EMAIL": "alice@example.com",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


LOOPBACK = AddressRules(allow_http=True, allow_loopback=True)


@dataclass(frozen=True, slots=True)
class Repository:
    path: Path

    def git(self, *arguments: str | bytes) -> str:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env=clean | IDENTITY,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.decode().strip()

    def commit(self, files: Mapping[str, str | None], message: str = "change") -> str:
        for path, text in files.items():
            target = self.path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                target.unlink()
            else:
                target.write_text(text, encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


def make_repository(path: Path, *, branch: str = "main") -> Repository:
    path.mkdir(parents=True)
    repository = Repository(path)
    repository.git("init", "-q", "-b", branch)
    return repository


class Connect(Protocol):
    """Opens a repository by its path; closed when the test ends."""

    def __call__(
        self, repository: Repository, default_branch: str = ""
    ) -> Connector: ...


class ConnectTo(Protocol):
    def __call__(
        self,
        url: str,
        *,
        rules: AddressRules = LOOPBACK,
        credentials: Credentials = ...,
        **options: object,
    ) -> Connector: ...


def contents(connector: Connector, version: Revision) -> dict[str, bytes]:
    found = [e for e in connector.list(version) if isinstance(e, Entry)]
    return {entry.path: data for entry, data in connector.read(version, found)}


def skips(connector: Connector, version: Revision) -> dict[str, str]:
    found = connector.list(version)
    return {item.path: item.reason for item in found if isinstance(item, Unlisted)}
