"""A workspace on loopback and a connector for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from devrag.sources.connectors import ConnectorContext, Credentials, open_connector
from devrag.sources.connectors.pages.connector import PageConnector
from tests.sources.notion.notion_server import TOKEN, Workspace, serving
from tests.sources.repositories import LOOPBACK

Open = Callable[..., PageConnector]


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace()
    with serving(made):
        yield made


@pytest.fixture
def opened(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Open]:
    """Open a connector of what is shared, or of a root; metadata as arguments."""
    monkeypatch.setattr(
        "devrag.sources.connectors.pages.client.ApiClient._pause", lambda *_: None
    )
    with ExitStack() as stack:
        before: list[PageConnector] = []

        def connect(
            context: dict[str, Any] | None = None, root: str = "", **metadata: Any
        ) -> PageConnector:
            url = f"{workspace.url}/Title-{root.replace('-', '')}" if root else ""
            made = open_connector(
                "notion",
                {"url": url or workspace.url, **metadata},
                ConnectorContext(
                    **{
                        "repos_dir": tmp_path,
                        "address_rules": LOOPBACK,
                        "credentials": Credentials("", TOKEN),
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
