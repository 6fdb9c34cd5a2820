"""Remote embedders against a server that speaks their protocols."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from devrag.core.errors import ProviderError
from devrag.llm.embedder import Embedder
from devrag.llm.embedding_registry import EmbedderConfig, build_embedder
from devrag.llm.errors import (
    EmbeddingInternal,
    EmbeddingInvalidArgument,
    EmbeddingModelNotFound,
    EmbeddingResourceExhausted,
    EmbeddingUnavailable,
)
from devrag.llm.remote.endpoint import Endpoint, RequestLimits
from tests.model_server import KEY, ModelServer, Scripted, model_server, vector_of

SIZE = 8
CUTTABLE = "text-embedding-3-small"
PROVIDERS = ("openai", "gemini")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server(**{"small": SIZE, CUTTABLE: SIZE}) as server:
        yield server


def build(
    server: ModelServer, provider: str = "openai", model: str = "small", **limits: Any
) -> Embedder:
    endpoint = Endpoint(server.url, KEY, "THE_KEY", "THE_URL")
    setup = EmbedderConfig(
        Path("unused"),
        endpoints={provider: endpoint},
        limits=RequestLimits(
            **{"query_timeout_seconds": 0.3, "timeout_seconds": 5} | limits
        ),
    )
    return build_embedder(provider, model, dimensions=SIZE, setup=setup)


def failure_of(embedder: Embedder) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        embedder.embed_documents(["tea"])
    return caught.value


@pytest.mark.parametrize("provider", PROVIDERS)
def test_vectors_come_back_normed_in_the_order_of_the_texts(
    server: ModelServer, provider: str
) -> None:
    texts = [f"text {n}" for n in range(20)]
    matrix = build(server, provider).embed_documents(texts)
    assert matrix.dtype == np.float32
    for text, row in zip(texts, matrix, strict=True):
        expected = np.array(vector_of(text, SIZE))
        assert row == pytest.approx(expected / np.linalg.norm(expected), abs=1e-6)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_twenty_texts_are_three_calls(server: ModelServer, provider: str) -> None:
    embedder = build(server, provider, batch_texts=8)
    texts = [f"text {n:02}" for n in range(20)]
    assert embedder.count_calls(texts) == 3
    embedder.embed_documents(texts)
    calls = sorted(seen.texts for seen in server.seen)
    assert [len(call) for call in calls] == [8, 8, 4]
    assert list(chain.from_iterable(calls)) == texts


def test_long_texts_share_no_call(server: ModelServer) -> None:
    embedder = build(server, batch_tokens=10)
    embedder.embed_documents(["a" * 20, "b" * 20, "c"])
    calls = sorted(seen.texts for seen in server.seen)
    assert calls == [["a" * 20], ["b" * 20, "c"]]


def test_no_texts_are_no_call(server: ModelServer) -> None:
    assert build(server).embed_documents([]).shape == (0, SIZE)
    assert server.seen == []


def test_the_provider_counts_the_tokens(server: ModelServer) -> None:
    (part,) = build(server).embed_parts(["tea", "cart"])
    assert part.tokens == 20


def test_openai_is_asked_as_it_wants(server: ModelServer) -> None:
    build(server, model=CUTTABLE).embed_query("tea")
    (seen,) = server.seen
    assert seen.path == "/v1/embeddings"
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.body["dimensions"] == SIZE


def test_a_model_that_cannot_make_fewer_dimensions_is_not_asked_to(
    server: ModelServer,
) -> None:
    build(server).embed_query("tea")
    assert "dimensions" not in server.seen[0].body


def test_gemini_is_told_queries_from_documents(server: ModelServer) -> None:
    embedder = build(server, "gemini")
    embedder.embed_documents(["tea"])
    embedder.embed_query("tea")
    assert {seen.path for seen in server.seen} == {
        "/v1/models/small:batchEmbedContents"
    }
    assert server.seen[0].headers["x-goog-api-key"] == KEY
    assert "authorization" not in server.seen[0].headers
    tasks = [seen.body["requests"][0]["taskType"] for seen in server.seen]
    assert tasks == ["RETRIEVAL_DOCUMENT", "RETRIEVAL_QUERY"]


def test_a_server_without_a_key_gets_none(server: ModelServer) -> None:
    setup = EmbedderConfig(Path("unused"), endpoints={"openai": Endpoint(server.url)})
    embedder = build_embedder("openai", "small", setup=setup)
    assert embedder.embed_query("tea").shape == (SIZE,)
    assert "authorization" not in server.seen[0].headers


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_provider_of_its_own_wants_a_key(provider: str) -> None:
    endpoint = Endpoint(key_setting="THE_KEY")
    setup = EmbedderConfig(Path("unused"), endpoints={provider: endpoint})
    error = failure_of(build_embedder(provider, "small", setup=setup))
    assert error.permanent
    assert "Set THE_KEY" in error.message


ERRORS = [
    (401, {"error": {"message": f"bad key {KEY}"}}, EmbeddingUnavailable, True),
    (404, {"error": {"message": "unknown"}}, EmbeddingModelNotFound, True),
    (400, {"error": {"message": "too long"}}, EmbeddingInvalidArgument, True),
    (413, "too long", EmbeddingInvalidArgument, True),
    (500, {"error": "oops"}, EmbeddingInternal, False),
    (502, "<html>bad gateway</html>", EmbeddingInternal, False),
    (302, "", EmbeddingUnavailable, True),
    (429, {"error": {"message": "slow down"}}, EmbeddingResourceExhausted, False),
    (
        429,
        {"error": {"message": "no money", "code": "insufficient_quota"}},
        EmbeddingResourceExhausted,
        True,
    ),
    (
        400,
        {"error": {"message": "no", "details": [{"reason": "API_KEY_INVALID"}]}},
        EmbeddingUnavailable,
        True,
    ),
]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(("status", "body", "kind", "is_permanent"), ERRORS)
def test_a_refusal_says_who_why_and_the_way_out(
    server: ModelServer,
    provider: str,
    status: int,
    body: Any,
    kind: type[ProviderError],
    is_permanent: bool,
) -> None:
    server.script = [Scripted(status, body, {"Location": "/elsewhere"})]
    error = failure_of(build(server, provider))
    assert (type(error), error.permanent) == (kind, is_permanent)
    assert server.url in error.message
    assert str(status) in error.message
    assert error.message.count(".") >= 2
    assert len(server.seen) == 1


def test_the_key_is_nowhere_to_be_read(
    server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    words = f"Incorrect API key provided: {KEY} or sk-proj-abcdefgh12345678"
    server.script = [Scripted(401, {"error": {"message": words}})]
    embedder = build(server)
    error = failure_of(embedder)
    for shown in (error.message, caplog.text, repr(vars(embedder))):
        assert KEY not in shown
        assert "abcdefgh12345678" not in shown
    assert error.__cause__ is None


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"Retry-After": "7"}, {"error": {"message": "slow"}}, 7),
        ({"Retry-After": "999999"}, {"error": {"message": "slow"}}, 3600),
        ({}, {"error": {"message": "slow"}}, 0),
        ({}, {"error": {"details": [{"retryDelay": "33.2s"}]}}, 34),
    ],
)
def test_a_limit_says_how_long_to_wait(
    server: ModelServer, headers: dict[str, str], body: Any, seconds: float
) -> None:
    server.script = [Scripted(429, body, headers)]
    error = failure_of(build(server))
    assert isinstance(error, EmbeddingResourceExhausted)
    assert error.retry_after_seconds == seconds


@pytest.mark.parametrize(
    "body",
    [
        "<html>Welcome to the router</html>",
        {"hello": "world"},
        [],
        None,
        {"data": [{"index": 0}]},
        {"data": []},
        {"data": [{"index": 0, "embedding": "AAAA"}]},
        {"data": [{"index": 0, "embedding": ["x"] * SIZE}]},
        {"data": [{"index": 0, "embedding": [0.0] * SIZE}]},
        {"data": [{"index": 0, "embedding": [float("nan")] * SIZE}]},
    ],
)
def test_garbage_is_no_vector(server: ModelServer, body: Any) -> None:
    server.script = [Scripted(200, body)]
    error = failure_of(build(server))
    assert isinstance(error, EmbeddingInternal)
    assert server.url in error.message


@pytest.mark.parametrize("provider", PROVIDERS)
def test_other_dimensions_are_refused_for_good(
    server: ModelServer, provider: str
) -> None:
    server.dimensions["small"] = 6
    error = failure_of(build(server, provider))
    assert error.permanent
    assert f"use {provider}/small --dimensions 6" in error.message


def test_a_question_does_not_wait_long(server: ModelServer) -> None:
    server.script = [Scripted(is_late=True)]
    with pytest.raises(EmbeddingUnavailable, match=r"within 0\.3 s"):
        build(server).embed_query("tea")
    assert len(server.seen) == 1


def test_a_server_that_is_away_is_named() -> None:
    with model_server() as server:
        embedder = build(server)
    error = failure_of(embedder)
    assert isinstance(error, EmbeddingUnavailable)
    assert not error.permanent
    assert "THE_URL" in error.message
    assert embedder.health().message.startswith("Error: ")


def test_what_was_paid_for_is_kept_when_a_call_fails(server: ModelServer) -> None:
    server.script = [Scripted(500, {"error": "oops"})]
    embedder = build(server, batch_texts=1, concurrency=1)
    parts = embedder.embed_parts(["a", "b", "c"])
    got = []
    with pytest.raises(EmbeddingInternal):
        got.extend(part.first for part in parts)
    assert len(server.seen) < 4
    assert len(got) == len(server.seen) - 1


def test_a_text_too_long_is_cut_by_who_sends_it(server: ModelServer) -> None:
    embedder = build(server, max_tokens=10)
    text = "税金 " * 20
    with pytest.raises(EmbeddingInvalidArgument, match="too long"):
        embedder.embed_documents([text])
    short = embedder.fit(text)
    assert text.startswith(short)
    assert embedder.count_tokens(short) <= 10
    assert embedder.fit("tea") == "tea"
    assert embedder.embed_query(text).shape == (SIZE,)


def test_a_healthy_server_says_so(server: ModelServer) -> None:
    assert build(server).health().is_healthy
