"""Standard input and output, passed on to a server: line by line, none lost."""

from __future__ import annotations

import io
import json
import socket
from typing import Any

import pytest

from devrag.mcp.bridge import Bridge
from tests.mcp.teahouse import Teahouse
from tests.scripted_server import Scripted, ScriptedServer, serving

Address = tuple[str, int]
VERSION = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
CLIENT = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


def request(key: Any, method: str, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": key, "method": method, "params": params}
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def call(key: Any, tool: str, /, **arguments: Any) -> bytes:
    return request(key, "tools/call", name=tool, arguments=arguments)


def talk(address: Address, *lines: bytes, is_verbose: bool = False) -> list[Any]:
    """Send lines; return the answers, one a line, in the order they came."""
    output = io.BytesIO()
    Bridge(*address, output, is_verbose=is_verbose).run(io.BytesIO(b"".join(lines)))
    return [json.loads(line) for line in output.getvalue().splitlines()]


def test_a_client_is_led_through_its_handshake(address: Address) -> None:
    answers = talk(
        address,
        request(1, "initialize", **CLIENT),
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
        request("two", "tools/list"),
    )
    assert [answer["id"] for answer in answers] == [1, "two"]
    assert answers[0]["result"]["protocolVersion"] == "2025-06-18"
    assert answers[0]["result"]["serverInfo"]["name"] == "devrag"
    assert len(answers[1]["result"]["tools"]) > 15


def test_a_client_of_the_newer_era_needs_none(address: Address) -> None:
    meta = {**VERSION, "io.modelcontextprotocol/clientCapabilities": {}}
    line = request(
        1, "resources/read", uri="devrag://file/shop/docs/日本語.md", _meta=meta
    )
    (answer,) = talk(address, line)
    assert "カート" in answer["result"]["contents"][0]["text"]


@pytest.mark.slow
def test_fifty_calls_at_once_are_answered_each(address: Address) -> None:
    lines = [call(n, "find_symbol", name=f"step_{n % 30}") for n in range(50)]
    answers = {answer["id"]: answer for answer in talk(address, *lines)}
    assert set(answers) == set(range(50))
    found = answers[31]["result"]["structuredContent"]["symbols"]
    assert found[0]["name"] == "step_1"


def test_a_long_answer_arrives_whole_on_one_line(address: Address) -> None:
    line = call(1, "read_file", source="shop", path="shop/long.py", budget=50_000)
    (answer,) = talk(address, line)
    text = answer["result"]["structuredContent"]["text"]
    assert len(text) > 8_000
    assert text.count("\n") > 100


@pytest.mark.parametrize(
    ("line", "code"),
    [(b"{oops\n", -32700), (b"[1, 2]\n", -32600), (b"7\n", -32602)],
)
def test_a_line_that_is_no_message_is_refused_and_the_next_served(
    address: Address, line: bytes, code: int
) -> None:
    answers = talk(address, line, b"\n", request(2, "ping"))
    codes = {answer["id"]: answer.get("error", {}).get("code") for answer in answers}
    assert codes == {None: code, 2: None}


@pytest.mark.parametrize(
    "params",
    [
        {"name": "search", "arguments": {}, "_meta": 7},
        {
            "name": "search",
            "arguments": {},
            "_meta": {"io.modelcontextprotocol/protocolVersion": "2\n3"},
        },
    ],
)
def test_what_cannot_be_passed_on_is_answered_and_the_next_served(
    address: Address, params: Any
) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    line = json.dumps(message).encode() + b"\n"
    deep = b"[" * 200_000 + b"\n"
    answers = talk(address, line, deep, request(2, "ping"), is_verbose=True)
    assert {answer["id"] for answer in answers} == {None, 1, 2}
    assert all("error" in answer for answer in answers if answer["id"] != 2)


def test_a_message_that_is_too_long_is_refused_by_its_id(address: Address) -> None:
    (answer,) = talk(address, call(5, "search", query="x" * 1_100_000))
    assert (answer["id"], answer["error"]["code"]) == (5, -32600)
    assert "1,000,000 bytes" in answer["error"]["message"]


def test_only_messages_go_out() -> None:
    with serving(ScriptedServer()) as server:
        server.script = [Scripted(500, "Internal Server Error")] * 2
        address = ("127.0.0.1", server.server_port)
        answers = talk(address, request(1, "initialize"), request(2, "ping"))
    assert [answer["id"] for answer in answers] == [1, 2]
    for answer in answers:
        assert "did not respond with an MCP message" in answer["error"]["message"]


def test_an_error_keeps_its_code(address: Address) -> None:
    (answer,) = talk(address, call(1, "search", query="cart", collection="nowhere"))
    assert answer["error"]["code"] == -32001


def test_a_cancelled_call_is_not_answered(address: Address) -> None:
    cancel = {
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": 1},
    }
    answers = talk(
        address,
        call(1, "reindex", wait_seconds=60),
        json.dumps(cancel).encode() + b"\n",
        request(2, "ping"),
    )
    assert [answer["id"] for answer in answers] == [2]


def test_timings_go_to_stderr(
    address: Address, capsys: pytest.CaptureFixture[str]
) -> None:
    (answer,) = talk(address, call(1, "search", query="cart"), is_verbose=True)
    assert answer["result"]["structuredContent"]["results"]
    said = capsys.readouterr()
    assert said.out == ""
    for item in ("query: 'cart'", "query embedding: ", "search: ", "total: "):
        assert item in said.err
    assert "chunks: 5" in said.err
    assert " shop/cart.py:" in said.err


def test_a_server_that_is_gone_is_named(teahouse: Teahouse) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = taken.getsockname()
    (answer,) = talk(address, request(1, "ping"))
    assert answer["error"]["code"] == -32000
    assert "devrag server status" in answer["error"]["message"]
