"""Fixtures of the sources' tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from devrag.sources.connectors import (
    Connector,
    ConnectorContext,
    Credentials,
    open_connector,
)
from devrag.sources.hosts import AddressRules
from tests.sources.repositories import (
    LOOPBACK,
    Connect,
    ConnectTo,
    Repository,
    make_repository,
)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """One commit on main."""
    made = make_repository(tmp_path / "work")
    made.commit({"README.md": "# Hello\n", "src/app.py": "print()\n"}, "first")
    return made


@pytest.fixture
def repos_dir(tmp_path: Path) -> Path:
    return tmp_path / "repos"


@pytest.fixture
def connect(repos_dir: Path) -> Iterator[Connect]:
    context = ConnectorContext(repos_dir=repos_dir, is_local_user=True)
    with ExitStack() as stack:

        def opened(repository: Repository, default_branch: str = "") -> Connector:
            path = str(repository.path)
            metadata = {"path": path, "default_branch": default_branch}
            connector = open_connector("git", metadata, context)
            return stack.enter_context(closing(connector))

        yield opened


@pytest.fixture
def connect_to(repos_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ConnectTo]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with ExitStack() as stack:

        def opened(
            url: str,
            *,
            rules: AddressRules = LOOPBACK,
            credentials: Credentials = Credentials(),  # noqa: B008 - frozen
            **options: object,
        ) -> Connector:
            context = ConnectorContext(
                repos_dir,
                address_rules=rules,
                credentials=credentials,
                **options,  # type: ignore[arg-type]
            )
            connector = open_connector("git", {"url": url}, context)
            return stack.enter_context(closing(connector))

        yield opened


@pytest.fixture
def hosted(repository: Repository, tmp_path: Path) -> Path:
    """A folder of bare repositories, with team/app.git in it."""
    (tmp_path / "host/team").mkdir(parents=True)
    repository.git("clone", "-q", "--bare", ".", "../host/team/app.git")
    return tmp_path / "host"
