"""A project on loopback and a connector for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources.gitlab.gitlab_server import TOKEN, Lab, serving
from tests.sources.pages.reading import Open, opening


@pytest.fixture
def lab() -> Lab:
    return Lab()


@pytest.fixture
def url(lab: Lab) -> Iterator[str]:
    with serving(lab) as address:
        yield address


@pytest.fixture
def opened(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Open a connector of the project, once more after another."""
    monkeypatch.setattr(
        "devrag.sources.connectors.pages.client.ApiClient._pause", lambda *_: None
    )
    with opening("gitlab", f"{url}/-/issues", TOKEN, tmp_path) as connect:
        yield connect
