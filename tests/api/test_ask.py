"""POST /api/v1/ask: an answer as JSON or as events, as the token may see."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.http import HttpResponse
from django.test import Client

from devrag.access.services import principal_of_token
from devrag.api import idempotency
from devrag.api.ask import _write_events
from devrag.ask.documents import without_links
from devrag.ask.limits import MAX_RUNNING_PER_OWNER, asker_of, running_answer
from devrag.ask.models import Conversation
from devrag.ask.types import AskEvent, Progress
from devrag.core.event_stream import read_events
from devrag.core.hashing import sha256_hex
from devrag.jobs.api import broker_at
from devrag.products.models import Product
from tests.asgi_server import asgi_server
from tests.conftest import Stand
from tests.people import bearer
from tests.standing import Standing
from tests.waiting import wait_for_lock_waiters, wait_until

from .asked_shop import QUESTION, AskedShop, open_shop, send
from .requests import post, problem
from .requests import send as send_json

pytestmark = pytest.mark.django_db
_PATH = "/api/v1/ask"


@pytest.fixture(scope="module")
def standing_shop(stand: Stand) -> Standing[AskedShop]:
    return stand(open_shop)


@pytest.fixture
def shop(standing_shop: Standing[AskedShop], db: None, tmp_path: Path) -> AskedShop:
    return standing_shop.furnish(tmp_path / "home")


@pytest.fixture
def server(shop: AskedShop) -> Iterator[str]:
    with asgi_server() as address:
        yield address


def ask(client: Client, **body: Any) -> HttpResponse:
    return send_json(client, "post", _PATH, bearer("read"), body)


def test_an_answer_has_citations_with_links_to_their_lines(
    client: Client, shop: AskedShop
) -> None:
    data = ask(client, question=QUESTION).json()
    assert (data["outcome"], data["isExtractive"], data["model"]) == (
        *("answered", True),
        "",
    )
    first = data["citations"][0]
    assert (first["number"], first["productName"]) == (1, "tea")
    assert first["text"]
    assert len(first["contentHash"]) == 64
    lines = f"#L{first['startLine']}"
    assert first["url"].startswith("http://localhost/")
    assert lines in first["url"]
    assert f"[1]({first['url']})" in data["answer"]
    assert "cite:" not in data["answer"]
    assert "text" not in data["evidence"][0]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"question": "  "}, 400),
        ({"question": "x" * 8_001}, 400),
        ({"question": "x", "productNames": ["nowhere"]}, 404),
        ({"question": "x", "sourceName": "nowhere"}, 404),
        ({"question": "x", "startLine": 3, "endLine": 4}, 400),
        ({"question": "x", "path": "shop/till.py", "startLine": 4, "endLine": 3}, 400),
        ({"question": "x", "mode": "magic"}, 422),
        ({"question": "x", "language": "tlh"}, 422),
        ({"question": "x", "unknown": 1}, 422),
        ({"question": "x", "history": [{"question": "y"}]}, 422),
    ],
)
def test_what_cannot_be_asked_is_a_problem(
    client: Client, shop: AskedShop, body: dict[str, Any], status: int
) -> None:
    problem(ask(client, **body), status)
    if "question" in body:
        problem(ask(client, **body, stream=True), status)


def test_a_token_of_another_product_gets_nothing(
    client: Client, shop: AskedShop
) -> None:
    headers = bearer("read", products=(Product.objects.get(name="coffee"),))
    data = post(client, _PATH, headers, question=QUESTION).json()
    assert (data["outcome"], data["evidence"]) == ("not_found", [])
    named = {"question": QUESTION, "productNames": ["tea"]}
    problem(post(client, _PATH, headers, **named), 404)


def test_the_same_request_with_a_key_is_answered_once(
    client: Client, shop: AskedShop
) -> None:
    headers = {**bearer("read"), "Idempotency-Key": "one"}
    first = post(client, _PATH, headers, question=QUESTION)
    again = post(client, _PATH, headers, question=QUESTION)
    assert again["Idempotency-Replayed"] == "true"
    assert again.json() == first.json()
    refused = post(
        client,
        _PATH,
        {**headers, "Idempotency-Key": "two"},
        question=QUESTION,
        stream=True,
    )
    assert "Idempotency-Key" in problem(refused, 400)["detail"]


def _events(server: str, shop: AskedShop, **body: Any) -> list[tuple[str, Any]]:
    asked = {"question": QUESTION, **body}
    with send(server, shop.secret, _PATH, asked) as answer:
        assert answer.status == 200
        assert answer.headers["Content-Type"] == "text/event-stream"
        assert answer.headers["X-Accel-Buffering"] == "no"
        return [(name, json.loads(data)) for name, data in read_events(answer)]


def test_a_stream_ends_with_the_answer_that_json_has(
    server: str, shop: AskedShop
) -> None:
    events = _events(server, shop, stream=True)
    assert events[0][0] == "evidence"
    assert events[0][1]["passages"][0]["text"]
    assert [name for name, _ in events].count("done") == 1
    with send(server, shop.secret, _PATH, {"question": QUESTION}) as answer:
        assert events[-1] == ("done", json.loads(answer.read()))
    assert events[-1][1]["conversationID"] == ""


def test_the_header_accept_asks_for_a_stream(server: str, shop: AskedShop) -> None:
    asked = {"question": QUESTION}
    only = {"Accept": "text/event-stream"}
    with send(server, shop.secret, _PATH, asked, **only) as answer:
        assert answer.headers["Content-Type"] == "text/event-stream"
        assert answer.read().startswith(b"id: 1\nevent: evidence\ndata: {")
    both = {"Accept": "application/json, text/event-stream"}
    with send(server, shop.secret, _PATH, asked, **both) as answer:
        assert answer.headers["Content-Type"].startswith("application/json")


def test_what_cannot_be_asked_has_its_status_before_a_stream_begins(
    server: str, shop: AskedShop
) -> None:
    asked = {"question": QUESTION, "productNames": ["tea"], "stream": True}
    with send(server, shop.other, _PATH, asked) as answer:
        assert (answer.status, json.loads(answer.read())["code"]) == (404, "not_found")


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("is_kept", [False, True])
def test_too_many_answers_at_once_are_refused_and_leave_nothing(
    client: Client, shop: AskedShop, *, stream: bool, is_kept: bool
) -> None:
    headers = bearer("read")
    asker = asker_of(principal_of_token(headers["Authorization"].split()[1]))
    asked = {"question": QUESTION, "isKept": is_kept, "stream": stream}
    with ExitStack() as others:
        for _ in range(MAX_RUNNING_PER_OWNER):
            others.enter_context(running_answer(asker))
        refused = post(client, _PATH, headers, **asked)
    assert problem(refused, 429)["code"] == "rate_limited"
    assert int(refused["Retry-After"]) > 0
    assert not Conversation.objects.exists()


def test_a_key_stays_claimed_however_long_its_answer_takes(
    server: str, shop: AskedShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "_RENEWED_SECONDS", 0.01)
    broker = broker_at(settings.BROKER_URL)
    name = f"devrag:api:done:{sha256_hex(f'{sha256_hex(shop.secret)} long')}"
    with connection.cursor() as cursor:  # the search for evidence waits for it
        cursor.execute("LOCK TABLE sources_reffile IN ACCESS EXCLUSIVE MODE")
    client = HTTPConnection(urlsplit(server).netloc)
    with closing(client):
        headers = {"Authorization": f"Bearer {shop.secret}", "Idempotency-Key": "long"}
        client.request("POST", _PATH, json.dumps({"question": QUESTION}), headers)
        wait_for_lock_waiters()
        broker.expire(name, 30)
        wait_until(lambda: broker.ttl(name) > 30, what="the renewal of the claim")
    wait_until(lambda: not broker.exists(name), what="the end of the work")


def test_a_stream_that_is_closed_has_ended_its_work() -> None:
    ended: list[str] = []

    async def work() -> AsyncGenerator[AskEvent, None]:
        try:
            yield Progress("Searching")
            yield Progress("Reading")
        finally:
            ended.append("work")

    async def close(stream: AsyncGenerator[bytes, None]) -> list[str]:
        await anext(stream)
        await stream.aclose()
        return list(ended)

    assert asyncio.run(close(_write_events(work(), without_links, {}))) == ["work"]


def test_who_hangs_up_ends_the_work(server: str, shop: AskedShop) -> None:
    broker = broker_at(settings.BROKER_URL)
    name = f"devrag:api:done:{sha256_hex(f'{sha256_hex(shop.secret)} gone')}"
    with connection.cursor() as cursor:  # the search for evidence waits for it
        cursor.execute("LOCK TABLE sources_reffile IN ACCESS EXCLUSIVE MODE")
    client = HTTPConnection(urlsplit(server).netloc)
    with closing(client):
        headers = {"Authorization": f"Bearer {shop.secret}", "Idempotency-Key": "gone"}
        client.request("POST", _PATH, json.dumps({"question": QUESTION}), headers)
        wait_until(lambda: broker.exists(name), what="the claim of the key")
        wait_for_lock_waiters()
    wait_until(lambda: not broker.exists(name), what="the end of the work")
