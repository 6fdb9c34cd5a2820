"""A teahouse that agents may ask, in memory and over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from devrag.mcp import http_app as door
from devrag.mcp.server import DevragServer, build_server
from tests.conftest import Stand
from tests.mcp.teahouse import Teahouse, ask, open_teahouse
from tests.standing import Standing
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def standing_teahouse(stand: Stand) -> Standing[Teahouse]:
    return stand(open_teahouse)


@pytest.fixture
def teahouse(
    standing_teahouse: Standing[Teahouse], db: None, tmp_path: Path
) -> Teahouse:
    return standing_teahouse.furnish(tmp_path / "home")


@pytest.fixture
def server(teahouse: Teahouse) -> DevragServer:
    return build_server()


@pytest.fixture(name="ask")
def ask_fixture(server: DevragServer) -> Callable[..., Any]:
    return partial(ask, server)


async def _only_agents(scope: Any, receive: Any, send: Any) -> None:
    await door.serve(scope, receive, send)


@pytest.fixture
def address(teahouse: Teahouse) -> Iterator[tuple[str, int]]:
    """A real web server with the door for agents; where it listens."""
    config = uvicorn.Config(
        _only_agents, port=0, lifespan="off", log_config=None, access_log=False
    )
    web = uvicorn.Server(config)
    thread = threading.Thread(target=web.run, name="web")
    thread.start()
    try:
        wait_until(lambda: web.started, what="the web server's start")
        host, port = web.servers[0].sockets[0].getsockname()
        yield host, port
    finally:
        web.should_exit = True
        thread.join()
