"""A tracker on loopback and a connector for its project."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from devrag.sources.connectors import ConnectorContext, Credentials, open_connector
from devrag.sources.connectors.pages.connector import PageConnector
from tests.sources.redmine.redmine_server import KEY, Tracker, serving
from tests.sources.repositories import LOOPBACK

Open = Callable[..., PageConnector]


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
    with ExitStack() as stack:
        url = stack.enter_context(serving(tracker, prefix="/redmine"))
        before: list[PageConnector] = []

        def connect(
            context: dict[str, Any] | None = None, **metadata: Any
        ) -> PageConnector:
            made = open_connector(
                "redmine",
                {"url": f"{url}/issues", **metadata},
                ConnectorContext(
                    **{
                        "repos_dir": tmp_path,
                        "address_rules": LOOPBACK,
                        "credentials": Credentials("", KEY),
                        **(context or {}),
                    }
                ),
            )
            assert isinstance(made, PageConnector)
            while before:
                before.pop().close()  # a mirror is one's alone
            before.append(made)
            return stack.enter_context(closing(made))

        yield connect
