"""An agent's client starts `manage.py mcp`, as the guide says, and goes again."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import anyio
import psutil
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from devrag.mcp.tools.registry import TOOLS
from tests.conftest import Repository
from tests.waiting import wait_until

from .instance import CHECKOUT, Instance

pytestmark = pytest.mark.xdist_group("e2e")


def ask(instance: Instance, tool: str, /, **arguments: Any) -> Any:
    """Start a client's process, call a tool, end it."""
    command = StdioServerParameters(
        command=sys.executable,
        args=[str(CHECKOUT / "manage.py"), "mcp"],
        env=instance.env,
        cwd=instance.root,
    )

    async def call() -> Any:
        async with Client(stdio_client(command)) as client:
            assert {t.name for t in (await client.list_tools()).tools} == set(TOOLS)
            return (await client.call_tool(tool, arguments)).structured_content

    return anyio.run(call)


def test_a_client_asks_the_server_that_runs(
    instance: Instance, shop: Repository
) -> None:
    before = instance.pids()
    found = ask(instance, "search", query="charge the customer", collection="shop")
    assert "shop/till.py" in {piece["path"] for piece in found["results"]}
    counts = ask(instance, "reindex", source="shop")
    assert {"added", "updated", "deleted"} <= set(counts)
    assert instance.pids() == before


@pytest.mark.slow
def test_a_client_is_answered_while_no_worker_is(
    instance: Instance, shop: Repository
) -> None:
    worker = psutil.Process(instance.pids()["worker"])
    stopped = [worker, *worker.children(recursive=True)]
    for process in stopped:
        process.suspend()
    try:
        wait_until(lambda: instance.http("/health").status == 503, 60, "the alarm")
        found = ask(instance, "search", query="charge", collection="shop")
        assert found["results"]
    finally:
        for process in stopped:
            process.resume()
    wait_until(lambda: instance.http("/health").status == 200, 60, "the all-clear")


def test_an_agent_comes_in_over_http(instance: Instance, shop: Repository) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    answer = instance.http("/mcp", body, token=instance.token, headers=headers)
    names = {tool["name"] for tool in answer.json()["result"]["tools"]}
    assert names == set(TOOLS)
    assert instance.http("/mcp", body, headers=headers).status == 401


@pytest.fixture
def resting() -> Iterator[Instance]:
    """An installation whose server does not run."""
    made = Instance()
    try:
        yield made
    finally:
        made.end()


@pytest.mark.slow
def test_a_client_starts_what_does_not_run_and_stops_it_again(
    resting: Instance,
) -> None:
    assert ask(resting, "list_collections")["collections"] == []
    wait_until(lambda: not resting.pids(), 60, "the stop of what was started")
    resting.start()
    before = resting.pids()
    assert ask(resting, "get_document_count")["count"] == 0
    assert resting.pids() == before
