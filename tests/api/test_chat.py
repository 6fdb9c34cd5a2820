"""/v1 as clients of OpenAI's API use it: their own SDK, tokens of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import openai
import pytest
from django.test import Client
from openai import OpenAI

from devrag.access.services import principal_of_token
from devrag.ask.limits import MAX_RUNNING_PER_OWNER, asker_of, running_answer
from tests.asgi_server import asgi_server
from tests.conftest import Stand
from tests.standing import Standing

from .asked_shop import QUESTION, AskedShop, open_shop
from .requests import send

pytestmark = pytest.mark.django_db
_ASKED: Any = [{"role": "user", "content": QUESTION}]
_CHAT = "/v1/chat/completions"


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


@pytest.fixture
def sdk(server: str, shop: AskedShop) -> Iterator[OpenAI]:
    with OpenAI(base_url=f"{server}/v1", api_key=shop.secret, max_retries=0) as client:
        yield client


def test_products_are_models(sdk: OpenAI) -> None:
    models = list(sdk.models.list())
    assert [each.id for each in models] == ["tea", "all"]
    assert {each.object for each in models} == {"model"}
    assert sdk.models.retrieve("tea") == models[0]
    with pytest.raises(openai.NotFoundError):
        sdk.models.retrieve("wine")


@pytest.mark.parametrize("model", ["tea", "all"])
def test_a_question_is_answered_with_links_to_lines(
    sdk: OpenAI, server: str, model: str
) -> None:
    made = sdk.chat.completions.create(model=model, messages=_ASKED)
    assert (made.object, made.model) == ("chat.completion", model)
    (choice,) = made.choices
    assert (choice.finish_reason, choice.message.role) == ("stop", "assistant")
    text = str(choice.message.content)
    answer, _, places = text.rpartition("\n\n---\n\n")
    assert f"[1]({server}/" in answer
    first = places.split("\n")[0]
    assert first.startswith("1. [`shop/")
    assert f"]({server}/" in first
    assert made.usage is not None
    assert made.usage.total_tokens == 0  # no model wrote it


def test_a_stream_has_the_same_text(sdk: OpenAI) -> None:
    whole = sdk.chat.completions.create(model="tea", messages=_ASKED)
    chunks = list(
        sdk.chat.completions.create(
            model="tea",
            messages=_ASKED,
            stream=True,
            stream_options={"include_usage": True},
        )
    )
    deltas = [each.choices[0].delta for each in chunks if each.choices]
    text = "".join(delta.content or "" for delta in deltas)
    assert text == whole.choices[0].message.content
    assert deltas[0].role == "assistant"
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert (chunks[-1].choices, chunks[-1].usage) == ([], whole.usage)
    assert len({each.id for each in chunks}) == 1


def test_a_stream_ends_as_clients_expect(server: str, shop: AskedShop) -> None:
    connection = HTTPConnection(urlsplit(server).netloc, timeout=60)
    try:
        body = {"model": "tea", "messages": _ASKED, "stream": True}
        headers = {"Authorization": f"Bearer {shop.secret}"}
        connection.request("POST", _CHAT, json.dumps(body), headers)
        with connection.getresponse() as answer:
            assert answer.headers["Content-Type"] == "text/event-stream"
            events = answer.read().decode().strip().split("\n\n")
    finally:
        connection.close()
    assert events[-1] == "data: [DONE]"
    last = json.loads(events[-2].removeprefix("data: "))
    assert last["object"] == "chat.completion.chunk"
    assert last["choices"][0]["delta"] == {}
    assert "usage" not in last


def test_parts_tools_and_other_parameters_are_tolerated(sdk: OpenAI) -> None:
    tool: Any = {"type": "function", "function": {"name": "look", "parameters": {}}}
    parts = [
        {"type": "text", "text": QUESTION},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
    ]
    messages: Any = [
        {"role": "system", "content": "You are a pirate."},
        {"role": "user", "content": parts},
    ]
    made = sdk.chat.completions.create(
        model="tea",
        messages=messages,
        tools=[tool],
        temperature=0.2,
        max_tokens=5,
        n=2,
        extra_body={"top_k": 40},
    )
    assert "shop/" in str(made.choices[0].message.content)


def test_errors_have_their_kind(sdk: OpenAI, server: str, shop: AskedShop) -> None:
    ask = sdk.chat.completions.create
    with pytest.raises(openai.NotFoundError) as missing:
        ask(model="wine", messages=_ASKED)
    assert missing.value.code == "model_not_found"
    with pytest.raises(openai.BadRequestError) as empty:
        ask(model="tea", messages=[{"role": "user", "content": " "}])
    assert empty.value.type == "invalid_request_error"
    with pytest.raises(openai.BadRequestError) as none:
        ask(model="tea", messages=[])
    assert none.value.param == "messages"
    with pytest.raises(openai.BadRequestError):
        ask(model="tea", messages=[{"role": "system", "content": "x"}])
    with pytest.raises(openai.AuthenticationError) as unknown:
        sdk.with_options(api_key="devrag_no").models.list()
    assert unknown.value.code == "invalid_api_key"


def test_other_products_are_no_models(sdk: OpenAI, shop: AskedShop) -> None:
    other = sdk.with_options(api_key=shop.other)
    assert [each.id for each in other.models.list()] == ["coffee", "all"]
    for stream in (False, True):
        with pytest.raises(openai.NotFoundError):
            other.chat.completions.create(model="tea", messages=_ASKED, stream=stream)
    made = other.chat.completions.create(model="all", messages=_ASKED)
    assert "shop/" not in str(made.choices[0].message.content)


def test_too_many_requests_name_when_to_try_again(sdk: OpenAI, settings: Any) -> None:
    settings.API_RATE_PER_MINUTE = 1
    with pytest.raises(openai.RateLimitError) as refused:
        [sdk.models.list() for _ in range(2)]
    assert refused.value.code == "rate_limit_exceeded"
    assert int(refused.value.response.headers["Retry-After"]) > 0


@pytest.mark.parametrize("stream", [False, True])
def test_too_many_answers_at_once_name_when_to_try_again(
    sdk: OpenAI, shop: AskedShop, *, stream: bool
) -> None:
    reader = principal_of_token(shop.secret)
    assert reader is not None
    with ExitStack() as others:
        for _ in range(MAX_RUNNING_PER_OWNER):
            others.enter_context(running_answer(asker_of(reader)))
        with pytest.raises(openai.RateLimitError) as refused:
            sdk.chat.completions.create(model="tea", messages=_ASKED, stream=stream)
    assert refused.value.code == "rate_limit_exceeded"
    assert int(refused.value.response.headers["Retry-After"]) > 0


@pytest.mark.parametrize(
    ("method", "path"),
    [("post", "/v1/embeddings"), ("get", "/v1/"), ("get", "/v1/assistants")],
)
def test_what_does_not_exist_is_an_error_of_that_shape(
    client: Client, db: None, method: str, path: str
) -> None:
    answer = send(client, method, path, {}, {})
    assert answer.status_code == 404
    assert set(answer.json()["error"]) == {"message", "type", "param", "code"}


def test_a_body_that_is_no_json_is_refused(client: Client, shop: AskedShop) -> None:
    headers = {"Authorization": f"Bearer {shop.secret}"}
    answer = client.post(_CHAT, "{", content_type="application/json", headers=headers)
    assert answer.status_code == 400
    assert "not valid JSON" in answer.json()["error"]["message"]
