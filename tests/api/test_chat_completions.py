"""Chunks of an answer that a model writes: checked sentences only, until one leaves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from openai import OpenAI

from devrag.spending.models import ModelCall
from tests.asgi_server import asgi_server
from tests.conftest import Stand
from tests.llm.chat_server import Asked, ChatServer, Reply, chat_server, use_server
from tests.standing import Standing
from tests.waiting import wait_until

from .asked_shop import QUESTION, AskedShop, open_shop

pytestmark = pytest.mark.django_db
_ASKED: Any = [{"role": "user", "content": QUESTION}]


@pytest.fixture(scope="module")
def standing_shop(stand: Stand) -> Standing[AskedShop]:
    return stand(open_shop)


@pytest.fixture
def model(settings: Any) -> Iterator[ChatServer]:
    with chat_server() as server:
        use_server(server, settings)
        yield server


@pytest.fixture
def shop(
    standing_shop: Standing[AskedShop], model: ChatServer, db: None, tmp_path: Path
) -> AskedShop:
    return standing_shop.furnish(tmp_path / "home")


@pytest.fixture
def server(shop: AskedShop) -> Iterator[str]:
    with asgi_server() as address:
        yield address


@pytest.fixture
def sdk(server: str, shop: AskedShop) -> Iterator[OpenAI]:
    with OpenAI(base_url=f"{server}/v1", api_key=shop.secret, max_retries=0) as client:
        yield client


def _cited(asked: Asked) -> str:
    """Return the id under which the model was shown the till."""
    found = re.search(r"(E\d+)\b[^\n]*shop/till\.py", asked.prompt)
    assert found is not None
    return f"[[{found[1]}]]"


def test_checked_sentences_come_one_by_one(sdk: OpenAI, model: ChatServer) -> None:
    def write(asked: Asked) -> Reply:
        cited = _cited(asked)
        return Reply(
            f"`charge` takes the money from the customer {cited}. "
            f"The `zymurgy_of_quokkas` signs it {cited}. "
            f"`charge` reads `TAX_RATE` from the environment {cited}."
        )

    model.write = write
    stream = sdk.chat.completions.create(
        model="tea",
        messages=_ASKED,
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = list(stream)
    texts = [each.choices[0].delta.content for each in chunks if each.choices]
    pieces = [text for text in texts if text]
    assert pieces[0].startswith("`charge` takes the money from the customer")
    assert "TAX_RATE" not in pieces[0]
    text = "".join(pieces)
    assert "from the environment [1](http://localhost:" in text
    assert "zymurgy" not in text
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.total_tokens == 120


@pytest.mark.slow
def test_what_a_second_model_may_refuse_is_sent_once_it_has_judged(
    sdk: OpenAI, model: ChatServer, settings: Any
) -> None:
    def write(asked: Asked) -> Reply:
        if asked.body["model"] == "checker":
            refused = re.search(r"(\d+)\| .*takes no money", asked.prompt)
            assert refused is not None
            return Reply(f"{refused[1]}| it takes money\nchecked| 2")
        cited = _cited(asked)
        return Reply(
            f"`charge` takes no money from the customer {cited}. "
            f"`charge` takes the money from the customer {cited}. "
        )

    settings.LLM_CHECK_MODEL = "checker"
    model.write = write
    stream = sdk.chat.completions.create(model="tea", messages=_ASKED, stream=True)
    texts = [each.choices[0].delta.content for each in stream]
    text = "".join(filter(None, texts))
    assert text.count("takes the money from the customer") == 1
    assert "takes no money" not in text


@pytest.mark.parametrize("is_streamed", [True, False])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/chat/completions", {"model": "tea", "messages": _ASKED}),
        ("/api/v1/ask", {"question": QUESTION, "productNames": ["tea"]}),
    ],
)
def test_who_hangs_up_ends_the_call_of_the_model(
    server: str,
    shop: AskedShop,
    model: ChatServer,
    path: str,
    body: dict[str, Any],
    *,
    is_streamed: bool,
) -> None:
    def write(asked: Asked) -> Reply:
        # No two sentences are equal: an answer that repeats itself is ended.
        cited = _cited(asked)
        told = (f"Customer {n} is charged {cited}. " for n in range(2_000))
        return Reply("".join(told), fault="drip")

    model.write = write
    asked = {**body, "stream": is_streamed}
    headers = {"Authorization": f"Bearer {shop.secret}"}
    with closing(HTTPConnection(urlsplit(server).netloc)) as client:
        client.request("POST", path, json.dumps(asked), headers)
        wait_until(lambda: model.seen, what="the call of the model")
    wait_until(_is_settled, what="the end of the call")


def _is_settled() -> bool:
    call = ModelCall.objects.order_by("-pk").first()
    return call is not None and call.finished_at is not None
