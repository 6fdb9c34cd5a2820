"""A repository on loopback and a connector for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources.github.github_server import TOKEN, Hub, serving
from tests.sources.pages.reading import Open, opening


@pytest.fixture
def hub() -> Hub:
    return Hub()


@pytest.fixture
def url(hub: Hub) -> Iterator[str]:
    with serving(hub) as address:
        yield address


@pytest.fixture
def opened(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Open a connector of the repository, once more after another."""
    monkeypatch.setattr(
        "devrag.sources.connectors.pages.client.ApiClient._pause", lambda *_: None
    )
    with opening("github", f"{url}/issues", TOKEN, tmp_path) as connect:
        yield connect
