"""A workspace on loopback and a connector for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devrag.sources.connectors.pages.connector import PageConnector
from tests.sources.notion.notion_server import TOKEN, Workspace, serving
from tests.sources.pages.reading import Open, opening


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
    with opening("notion", workspace.url, TOKEN, tmp_path) as connect:

        def connect_below(
            context: dict[str, Any] | None = None, root: str = "", **metadata: Any
        ) -> PageConnector:
            if root:
                metadata["url"] = f"{workspace.url}/Title-{root.replace('-', '')}"
            return connect(context, **metadata)

        yield connect_below
