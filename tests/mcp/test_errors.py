"""What cannot be answered: its code, the thing, why, what to do."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from django.db import connections
from mcp import Client, MCPError

from devrag.ask.api import TooManyRunning
from devrag.core.errors import Conflict, PermissionDenied, ProviderError
from devrag.mcp.errors import to_mcp_error
from devrag.mcp.server import DevragServer

NO_UUID = "00000000-0000-0000-0000-000000000000"
CODE = {"query": "cart", "collection": "shop"}


def refuse(server: DevragServer, tool: str, /, **arguments: Any) -> MCPError:
    async def call() -> MCPError:
        async with Client(server) as client:
            with pytest.raises(MCPError) as caught:
                await client.call_tool(tool, arguments)
            return caught.value

    return anyio.run(call)


@pytest.mark.parametrize("limit", [0, 51, -1, "many", None])
def test_a_limit_out_of_range_is_an_invalid_parameter(
    server: DevragServer, limit: Any
) -> None:
    error = refuse(server, "search_code", **CODE, limit=limit)
    assert error.code == -32602
    assert error.message.startswith("limit: ")


def test_too_many_answers_at_once_say_when_to_try_again() -> None:
    error = to_mcp_error(TooManyRunning("Wait."))
    assert error is not None
    assert error.data == {
        "code": "rate_limited",
        "permanent": False,
        "retryAfterSeconds": 5.0,
    }


def test_very_many_wrong_values_are_counted(server: DevragServer) -> None:
    filters = {f"k{number}": 1 for number in range(500)}
    error = refuse(server, "search_code", **CODE, filters=filters)
    assert error.code == -32602
    assert error.message == "500 values are invalid."


@pytest.mark.parametrize("limit", [1, 50])
def test_the_bounds_of_the_limit_are_accepted(ask: Any, limit: int) -> None:
    assert ask("search_code", **CODE, limit=limit)["results"]


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search_code", {"collection": "shop"}, "'query' is missing"),
        ("search", {"query": ""}, "query: "),
        ("search", {"query": "x" * 8001}, "query: "),
        ("search", {"query": ["a"]}, "query: "),
        ("search", {"query": "a", "kind": "poem"}, "poem"),
        ("search", {"query": "a", "language": "klingon"}, "klingon"),
        ("search", {"query": "a", "depth": [9]}, "9"),
        ("search", {"query": "a", "context": 4}, "context: "),
        ("search", {"query": "a", "langauge": "go"}, "no argument 'langauge'"),
        ("search", {"query": "a\0b"}, "NUL"),
        ("search_code", {**CODE, "filters": {"file_pattern": "\0"}}, "NUL"),
        ("search_code", {**CODE, "filters": {"color": 1}}, "filters.color"),
        ("search_all", {}, "no tool 'search_all'"),
        ("find_symbol", {"name": "a", "kind": "poem"}, "poem"),
        ("get_references", {"symbol": "step_"}, "is ambiguous"),
        ("get_references", {"symbol": "nowhere"}, "no definition 'nowhere'"),
        ("find_related", {"place": "somewhere"}, "Invalid location"),
        ("find_related", {"place": "shop:no/such.py:1"}, "Nothing found at"),
        ("get_function_details", {"function_id": "7", "collection": "shop"}, "UUID"),
        ("get_function_details", {"function_id": NO_UUID, "collection": "shop"}, "no"),
        (
            "read_file",
            {"source": "shop", "path": "till.py"},
            "Did you mean shop/till.py?",
        ),
        ("read_file", {"source": "shop", "path": "shop"}, "is a folder"),
        ("read_file", {"source": "shop", "path": "../../etc/passwd"}, "does not exist"),
        (
            "read_file",
            {"source": "shop", "path": "shop/../shop/till.py"},
            "does not exist",
        ),
        (
            "read_file",
            {"source": "shop", "path": "shop/till.py", "start_line": 99},
            "has 9 lines",
        ),
        ("list_tree", {"source": "shop", "path": "no/where"}, "no folder"),
        ("read_wiki", {"product": "tea", "page": "../secret"}, "no page"),
        ("read_wiki", {"product": "tea", "section": "Nowhere"}, "It has: "),
        ("ask", {"question": " "}, "question is empty"),
        ("ask", {"question": "x" * 8001}, "question: "),
        ("ask", {"question": "a", "mode": "magic"}, "mode: "),
        ("gather_context", {"question": " "}, "question is empty"),
        ("gather_context", {"question": "a", "token_budget": 99}, "token_budget: "),
        ("get_job", {"job_id": NO_UUID}, "not found"),
        ("get_job", {"job_id": "latest"}, "job_id: "),
        ("reindex", {"wait_seconds": 9999}, "wait_seconds: "),
    ],
)
def test_bad_input_names_the_thing(
    server: DevragServer, tool: str, arguments: dict[str, Any], said: str
) -> None:
    error = refuse(server, tool, **arguments)
    assert error.code == -32602
    assert said in error.message
    assert error.message.endswith((".", "?"))
    assert len(error.message) < 1200


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_code", {"query": "cart", "collection": "nowhere"}),
        ("search", {"query": "cart", "collection": "nowhere"}),
        ("search", {"query": "cart source:nowhere"}),
        ("ask", {"question": "cart", "collection": "nowhere"}),
        ("gather_context", {"question": "cart", "collection": "nowhere"}),
        ("get_document_count", {"collection": "nowhere"}),
        ("read_file", {"source": "nowhere", "path": "a"}),
        ("list_wiki_pages", {"product": "nowhere"}),
        ("reindex", {"source": "nowhere"}),
    ],
)
def test_an_unknown_collection_has_its_own_code(
    server: DevragServer, tool: str, arguments: dict[str, Any]
) -> None:
    error = refuse(server, tool, **arguments)
    assert error.code == -32001
    assert "'nowhere'" in error.message


def test_an_unknown_collection_names_those_there_are(server: DevragServer) -> None:
    error = refuse(server, "search_code", query="cart", collection="nowhere")
    assert "Available: coffee, shop, tea." in error.message


def test_a_database_that_is_away_has_its_own_code(
    server: DevragServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Threads connect anew, to a port where nobody listens.
    monkeypatch.setitem(connections.databases["default"], "PORT", "9")
    error = refuse(server, "search", query="cart")
    assert error.code == -32003
    assert "Try again" in error.message
    assert "127.0.0.1" not in error.message


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ProviderError("The model is away."), -32002),
        (PermissionDenied("Not yours."), -32602),
        (Conflict("Not now."), -32603),
    ],
)
def test_failures_keep_their_sentence_and_stable_code(error: Any, code: int) -> None:
    told = to_mcp_error(error)
    assert told is not None
    assert (told.code, told.message) == (code, error.message)
    assert told.error.data == {"code": error.code, "permanent": error.permanent}


def test_a_crash_tells_nothing_of_itself() -> None:
    assert to_mcp_error(RuntimeError("secret")) is None


def test_a_resource_that_is_not_there_is_named(server: DevragServer) -> None:
    async def read(uri: str) -> MCPError:
        async with Client(server) as client:
            with pytest.raises(MCPError) as caught:
                await client.read_resource(uri)
            return caught.value

    for uri in ("devrag://file/shop/no.py", "devrag://file/shop/..%2F..%2Fetc/passwd"):
        error = anyio.run(read, uri)
        assert error.code in (-32602, -32603)
    assert anyio.run(read, "devrag://wiki/nowhere/index.md").code == -32001
