"""Fixtures of the sources' tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from devrag.sources.connectors import Connector, ConnectorContext, open_connector
from tests.sources.repositories import Connect, Repository, make_repository


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
