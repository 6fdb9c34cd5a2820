"""An API on loopback and a client for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from devrag.sources.connectors.pages.client import ApiClient
from tests.scripted_server import serving
from tests.sources.pages.api_server import ApiServer, Pauses, connect

Connected = tuple[ApiClient, Pauses]


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with serving(ApiServer()) as started:
        yield started


@pytest.fixture
def connected(server: ApiServer, tmp_path: Path) -> Iterator[Connected]:
    client, pauses = connect(server, tmp_path)
    yield client, pauses
    client.close()
