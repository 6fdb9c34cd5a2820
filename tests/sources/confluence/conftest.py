"""A wiki on loopback and a connector for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from devrag.sources.connectors import ConnectorContext, Credentials, open_connector
from devrag.sources.connectors.pages.connector import PageConnector
from tests.sources.confluence.confluence_server import (
    E_MAIL,
    TOKEN,
    Wiki,
    serving,
)
from tests.sources.repositories import LOOPBACK

Open = Callable[..., PageConnector]


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
    with ExitStack() as stack:
        url = stack.enter_context(serving(wiki, prefix="/wiki"))
        before: list[PageConnector] = []

        def connect(
            context: dict[str, Any] | None = None, **metadata: Any
        ) -> PageConnector:
            # What an address of a test server cannot tell: that it is Cloud.
            credentials = Credentials(E_MAIL if wiki.is_cloud else "", TOKEN)
            made = open_connector(
                "confluence",
                {"url": url, **metadata},
                ConnectorContext(
                    **{
                        "repos_dir": tmp_path,
                        "address_rules": LOOPBACK,
                        "credentials": credentials,
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
