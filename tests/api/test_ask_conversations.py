"""POST /api/v1/ask with questions that are kept as a conversation."""

from __future__ import annotations

import json
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.utils import timezone

from devrag.ask.limits import MAX_RUNNING_PER_OWNER
from devrag.ask.models import Conversation, Turn
from devrag.core.event_stream import read_events
from devrag.core.hashing import sha256_hex
from devrag.jobs.api import broker_at
from tests.asgi_server import asgi_server
from tests.ask.talking import held_up
from tests.waiting import wait_until

from .asked_shop import QUESTION, open_shop, send

# What is kept is written by another thread than the test's.
pytestmark = pytest.mark.django_db(transaction=True)
_PATH = "/api/v1/ask"


def _asked(server: str, secret: str, **body: Any) -> tuple[int, Any]:
    with send(server, secret, _PATH, body) as answer:
        return answer.status, json.loads(answer.read())


def _streamed(server: str, secret: str, **body: Any) -> Any:
    """Return what the last event says."""
    with send(server, secret, _PATH, {**body, "stream": True}) as answer:
        name, data = list(read_events(answer))[-1]
    assert name == "done"
    return json.loads(data)


def test_a_conversation_goes_on_where_it_is_kept(tmp_path: Path) -> None:
    shop = open_shop(tmp_path)
    with asgi_server() as server:
        first = {"question": QUESTION, "productNames": ["tea"], "isKept": True}
        status, begun = _asked(server, shop.secret, **first)
        assert status == 200
        kept = {"conversationID": begun["conversationID"]}
        follow = {"question": "And where is the tax?", **kept}
        status, followed = _asked(server, shop.secret, **follow)
        assert (status, followed["conversationID"]) == (200, begun["conversationID"])
        assert {each["productName"] for each in followed["evidence"]} == {"tea"}
        streamed = _streamed(server, shop.secret, **follow)
        assert streamed["conversationID"] == begun["conversationID"]
        assert _asked(server, shop.other, **follow)[0] == 404
        earlier = [{"question": "x", "answer": "y"}]
        assert _asked(server, shop.secret, **follow, history=earlier)[0] == 400
    (conversation,) = Conversation.objects.all()
    turns = conversation.turns.order_by("ordinal")
    assert [each.state for each in turns] == [Turn.State.DONE] * 3
    assert turns[0].markdown


@pytest.mark.parametrize("stream", [False, True])
def test_a_question_that_is_refused_is_not_kept(
    tmp_path: Path, *, stream: bool
) -> None:
    shop = open_shop(tmp_path)
    with asgi_server() as server:
        kept = {"question": QUESTION, "isKept": True}
        _, begun = _asked(server, shop.secret, **kept)
        conversation = Conversation.objects.get()
        for ordinal in range(MAX_RUNNING_PER_OWNER):
            conversation.turns.create(
                ordinal=ordinal + 2,
                question="x",
                mode="quick",
                state=Turn.State.RUNNING,
                seen_at=timezone.now(),
            )
        status, refused = _asked(server, shop.secret, **kept, stream=stream)
        assert (status, refused["code"]) == (429, "rate_limited")
    assert str(Conversation.objects.get().uuid) == begun["conversationID"]
    assert not Turn.objects.filter(state=Turn.State.WAITING).exists()


def test_without_a_model_a_kept_answer_is_finished_when_its_client_hangs_up(
    tmp_path: Path,
) -> None:
    shop = open_shop(tmp_path)
    broker = broker_at(settings.BROKER_URL)
    name = f"devrag:api:done:{sha256_hex(f'{sha256_hex(shop.secret)} gone')}"
    headers = {"Authorization": f"Bearer {shop.secret}", "Idempotency-Key": "gone"}
    asked = json.dumps({"question": QUESTION, "isKept": True})
    with asgi_server() as server:
        with held_up():
            with closing(HTTPConnection(urlsplit(server).netloc)) as client:
                client.request("POST", _PATH, asked, headers)
                wait_until(Turn.objects.filter(state=Turn.State.RUNNING).exists)
                assert broker.exists(name)
            wait_until(lambda: not broker.exists(name), what="the end of the request")
        wait_until(Turn.objects.filter(state=Turn.State.DONE).exists)
    assert Turn.objects.get().citations.filter(number=1).exists()
