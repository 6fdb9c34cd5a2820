"""A wiki on loopback and a connector for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devrag.sources.connectors import Credentials
from devrag.sources.connectors.pages.connector import PageConnector
from tests.sources.confluence.confluence_server import (
    E_MAIL,
    TOKEN,
    Wiki,
    serving,
)
from tests.sources.pages.reading import Open, opening


@pytest.fixture
def wiki() -> Wiki:
    made = Wiki()
    made.page("Home", page_id="1")
    return made


@pytest.fixture
def opened(
    wiki: Wiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Open]:
    """Open a connector of the wiki, once more after another; metadata as arguments."""
    monkeypatch.setattr(
        "devrag.sources.connectors.pages.client.ApiClient._pause", lambda *_: None
    )
    with (
        serving(wiki, prefix="/wiki") as url,
        opening("confluence", url, TOKEN, tmp_path) as connect,
    ):

        def connect_as(
            context: dict[str, Any] | None = None, **metadata: Any
        ) -> PageConnector:
            # What an address of a test server cannot tell: that it is Cloud.
            credentials = Credentials(E_MAIL if wiki.is_cloud else "", TOKEN)
            return connect({"credentials": credentials, **(context or {})}, **metadata)

        yield connect_as
