"""The door at /mcp: tokens, hosts, origins, and clients that come and go."""

from __future__ import annotations

import http.client
import json
from contextlib import closing
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from devrag.http_server.body_limit import MAX_BODY_BYTES
from devrag.mcp.local import sign_local
from devrag.spending.models import ModelCall
from tests.llm.chat_server import Reply, chat_server, use_server
from tests.mcp.teahouse import Teahouse
from tests.waiting import wait_until

Address = tuple[str, int]
_SENT = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def call(address: Address, secret: str, tool: str, /, **arguments: Any) -> Any:
    """Call a tool with the SDK's client over HTTP."""
    host, port = address

    async def ask() -> Any:
        headers = {"Authorization": f"Bearer {secret}"}
        async with create_mcp_http_client(headers) as web:
            transport = streamable_http_client(
                f"http://{host}:{port}/mcp", http_client=web
            )
            async with Client(transport) as client:
                return (await client.call_tool(tool, arguments)).structured_content

    return anyio.run(ask)


def post(address: Address, body: Any, **headers: str) -> tuple[int, dict[str, Any]]:
    """Send one message; return status and answer."""
    sent = {
        **_SENT,
        "Authorization": f"Bearer {sign_local()}",
        **{key.replace("_", "-"): value for key, value in headers.items()},
    }
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    with closing(http.client.HTTPConnection(*address, timeout=20)) as connection:
        connection.request("POST", "/mcp", data, sent)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"{}")


def test_a_token_opens_its_products(address: Address, teahouse: Teahouse) -> None:
    found = call(address, teahouse.secrets["read"], "search", query="charge")
    assert "shop/till.py" in {piece["path"] for piece in found["results"]}


def test_what_a_token_may_not_see_does_not_exist(
    address: Address, teahouse: Teahouse
) -> None:
    secret = teahouse.secrets["other"]
    assert call(address, secret, "list_collections")["collections"] == []
    assert call(address, secret, "search", query="charge")["results"] == []
    asked = (
        ("search_code", {"query": "charge", "collection": "shop"}),
        ("read_file", {"source": "shop", "path": "shop/till.py"}),
        ("read_wiki", {"product": "tea"}),
        ("list_tree", {"source": "tea"}),
    )
    for tool, arguments in asked:
        with pytest.raises(ExceptionGroup) as caught:
            call(address, secret, tool, **arguments)
        error = _only(caught.value)
        assert error.code == -32001
        assert "Available: coffee." in error.message


def _only(group: BaseException) -> MCPError:
    """Return the error in the groups that anyio puts around it."""
    while isinstance(group, BaseExceptionGroup):
        (group,) = group.exceptions
    assert isinstance(group, MCPError)
    return group


def test_a_token_without_the_scope_may_not_index(
    address: Address, teahouse: Teahouse
) -> None:
    with pytest.raises(ExceptionGroup) as caught:
        call(address, teahouse.secrets["read"], "reindex")
    assert "lacks the scope 'index'" in _only(caught.value).message


@pytest.mark.parametrize("token", ["", "Bearer ", "Bearer nonsense", "Basic YTpi"])
def test_no_token_no_entrance(address: Address, token: str) -> None:
    status, answer = post(address, PING, Authorization=token)
    assert status == 401
    assert "devrag token create" in answer["error"]["message"]


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_stream_to_keep_open(address: Address, method: str) -> None:
    sent = {**_SENT, "Authorization": f"Bearer {sign_local()}"}
    with closing(http.client.HTTPConnection(*address, timeout=5)) as connection:
        connection.request(method, "/mcp", headers=sent)
        answer = connection.getresponse()
        assert (answer.status, answer.getheader("Allow")) == (405, "POST")
        assert b"with POST" in answer.read()


def test_a_token_has_its_share_of_each_minute(
    address: Address, teahouse: Teahouse, settings: Any
) -> None:
    settings.API_RATE_PER_MINUTE = 2
    token = f"Bearer {teahouse.secrets['read']}"
    # The minute may end between two of them.
    answers = [ask(address, token) for _ in range(5)]
    status, retry_after, answer = next(each for each in answers if each[0] != 200)
    assert status == 429
    assert 1 <= int(retry_after) <= 60
    assert answer["error"]["code"] == -32600
    assert "limited to 2 requests per minute" in answer["error"]["message"]
    assert ask(address, f"Bearer {teahouse.secrets['index']}")[0] == 200
    # Who may start a process here is not counted.
    assert {ask(address, f"Bearer {sign_local()}")[0] for _ in range(5)} == {200}


def ask(address: Address, token: str) -> tuple[int, str, Any]:
    """Send a ping; return status, Retry-After and answer."""
    with closing(http.client.HTTPConnection(*address, timeout=20)) as connection:
        headers = {**_SENT, "Authorization": token}
        connection.request("POST", "/mcp", json.dumps(PING), headers)
        answer = connection.getresponse()
        return (
            answer.status,
            answer.getheader("Retry-After", ""),
            json.loads(answer.read()),
        )


@pytest.mark.parametrize("header", ["", "Bearer {}"])
def test_a_token_in_the_address_is_refused(
    address: Address, teahouse: Teahouse, header: str
) -> None:
    secret = teahouse.secrets["read"]
    headers = {**_SENT, "Authorization": header.format(secret)}
    with closing(http.client.HTTPConnection(*address, timeout=20)) as connection:
        connection.request("POST", f"/mcp?token={secret}", json.dumps(PING), headers)
        answer = connection.getresponse()
        assert answer.status == 400
        assert "revoke any token" in answer.read().decode()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("expired", "This token expired at 2026-01-02 03:04 UTC. Send a valid"),
        ("revoked", "This token has been revoked. Send a valid"),
    ],
)
def test_a_token_that_opens_nothing_any_more_says_why(
    address: Address, teahouse: Teahouse, name: str, why: str
) -> None:
    token = f"Bearer {teahouse.secrets[name]}"
    status, answer = post(address, PING, Authorization=token)
    assert status == 401
    assert answer["error"]["message"].startswith(why)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:80"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "localhost", "Origin": "http://localhost"}, 200),
    ],
)
def test_foreign_hosts_and_pages_stay_outside(
    address: Address, headers: dict[str, str], status: int
) -> None:
    answered, answer = post(address, PING, **headers)
    assert answered == status
    assert ("error" in answer) is (status != 200)


def test_an_origin_that_is_trusted_comes_in(address: Address, settings: Any) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://ide.example"]
    assert post(address, PING, Origin="https://ide.example")[0] == 200


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, -32700),
        (b"[]", 400, -32600),
        ([PING, PING], 400, -32600),
        (b"\xff", 400, -32700),
        (b" " * (MAX_BODY_BYTES + 1), 413, -32600),
        ({**PING, "method": "nothing/there"}, 200, -32601),
    ],
)
def test_a_message_that_is_none_is_refused(
    address: Address, body: Any, status: int, code: int
) -> None:
    answered, answer = post(address, body)
    assert (answered, answer["error"]["code"]) == (status, code)


@pytest.mark.slow
def test_many_calls_at_once_are_all_answered(
    address: Address, teahouse: Teahouse
) -> None:
    host, port = address
    headers = {"Authorization": f"Bearer {teahouse.secrets['read']}"}

    async def ask() -> set[str]:
        answers: list[str] = []
        async with create_mcp_http_client(headers) as web:
            transports = [
                streamable_http_client(f"http://{host}:{port}/mcp", http_client=web)
                for _ in range(2)
            ]
            async with Client(transports[0]) as one, Client(transports[1]) as two:

                async def find(client: Client, number: int) -> None:
                    name = f"step_{number}"
                    found = await client.call_tool("find_symbol", {"name": name})
                    answers.append(found.structured_content["symbols"][0]["name"])

                async with anyio.create_task_group() as tasks:
                    for number in range(50):
                        client = one if number % 2 else two
                        tasks.start_soon(find, client, number % 30)
        assert len(answers) == 50
        return set(answers)

    assert anyio.run(ask) == {f"step_{number}" for number in range(30)}


def test_a_client_that_hangs_up_harms_nobody(address: Address) -> None:
    body = {**PING, "method": "tools/call", "params": {"name": "list_collections"}}
    data = json.dumps(body).encode()
    for _ in range(5):
        connection = http.client.HTTPConnection(*address, timeout=20)
        connection.request(
            "POST", "/mcp", data, {"Authorization": f"Bearer {sign_local()}"}
        )
        connection.close()
    assert post(address, PING)[0] == 200


def test_who_hangs_up_ends_the_call_of_the_model(
    address: Address, settings: Any
) -> None:
    asked = {"name": "ask", "arguments": {"question": "What charges the customer?"}}
    body = {**PING, "method": "tools/call", "params": asked}
    headers = {**_SENT, "Authorization": f"Bearer {sign_local()}"}
    with chat_server() as model:
        use_server(model, settings)
        model.script = [Reply("It charges [[E1]]. " * 2_000, fault="drip")]
        with closing(http.client.HTTPConnection(*address, timeout=20)) as connection:
            connection.request("POST", "/mcp", json.dumps(body), headers)
            wait_until(lambda: model.seen, what="the call of the model")
        wait_until(_is_settled, what="the end of the call")


def _is_settled() -> bool:
    call = ModelCall.objects.order_by("-pk").first()
    return call is not None and call.finished_at is not None
