"""A tracker on loopback and a connector for its project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources.pages.reading import Open, opening
from tests.sources.redmine.redmine_server import KEY, Tracker, serving


@pytest.fixture
def tracker() -> Tracker:
    return Tracker()


@pytest.fixture
def opened(
    tracker: Tracker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Open]:
    """Open a connector of the tracker, once more after another; metadata as given."""
    monkeypatch.setattr(
        "devrag.sources.connectors.pages.client.ApiClient._pause", lambda *_: None
    )
    with (
        serving(tracker, prefix="/redmine") as url,
        opening("redmine", f"{url}/issues", KEY, tmp_path) as connect,
    ):
        yield connect
