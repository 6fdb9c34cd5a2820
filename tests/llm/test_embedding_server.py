"""devrag's embedding server on a real port, asked by the bare protocol."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import grpc
import numpy as np
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)

from devrag.core.errors import ServiceError
from devrag.llm.embedding_server.config import LOCAL, ModelConfig, ServerConfig
from devrag.llm.embedding_server.listener import SERVICE, Listener
from devrag.llm.embedding_server.models import ModelCache
from devrag.llm.embedding_server.service import MOST_TEXTS
from devrag.llm.errors import (
    EmbeddingInternal,
    EmbeddingInvalidArgument,
    EmbeddingModelNotFound,
    EmbeddingResourceExhausted,
    EmbeddingUnavailable,
)
from devrag.llm.local.embedder import LocalEmbedder
from devrag.llm.proto import PURPOSE_KEY
from devrag.llm.proto.embedding_pb2 import (
    EmbedRequest,
    HealthRequest,
    ListModelsRequest,
)
from tests.llm.embedding_servers import serving_models, talking_to
from tests.waiting import wait_until

JINA = ModelConfig(
    "jinaai/jina-embeddings-v2-base-code", 768, 8192, trust_remote_code=True
)
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.fixture(scope="module")
def address(embedder: LocalEmbedder) -> Iterator[str]:
    with serving_models(lambda _name: embedder) as address:
        yield address


@pytest.fixture
def stub(address: str) -> Iterator[Any]:
    with talking_to(address) as stub:
        yield stub


class Odd:
    """A model that does what a test wants; counts its loads."""

    dimensions = LOCAL.dimension

    def __init__(self, embed: Callable[[Any], Any], problem: Exception | None = None):
        self._embed, self.problem, self.loads = embed, problem, 0

    def load(self) -> None:
        self.loads += 1
        if self.problem:
            raise self.problem

    def embed_documents(self, texts: list[str]) -> Any:
        return self._embed(texts)


def zeros(texts: list[str]) -> Any:
    return np.zeros((len(texts), LOCAL.dimension), np.float32)


def raiser(error: Exception) -> Callable[[Any], Any]:
    def embed(_texts: list[str]) -> Any:
        raise error

    return embed


def refusal(call: Callable[[], Any]) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return caught.value.code(), caught.value.details()


def standard_health(address: str, name: str = SERVICE) -> int:
    with grpc.insecure_channel(address) as channel:
        request = health_pb2.HealthCheckRequest(service=name)
        answer = health_pb2_grpc.HealthStub(channel).Check(request)
        return int(answer.status)


# -- what it answers ------------------------------------------------------------------


def test_vectors_are_those_of_the_local_model_in_the_order_of_the_texts(
    stub: Any, embedder: LocalEmbedder
) -> None:
    texts = ["def add(a, b): return a + b", "", "索引", "word " * 900, "tea"] * 8
    answer = stub.EmbedBatch(EmbedRequest(texts=texts, model_name=LOCAL.name))
    rows = np.asarray([row.values for row in answer.embeddings], np.float32)
    assert (answer.model_name, answer.dimension) == (LOCAL.name, 384)
    assert np.array_equal(rows, embedder.embed_documents(texts))


def test_a_question_is_said_to_be_one(stub: Any, embedder: LocalEmbedder) -> None:
    request = EmbedRequest(texts=["where is tea"])
    answer = stub.EmbedBatch(request, metadata=((PURPOSE_KEY, "query"),))
    vector = np.asarray(answer.embeddings[0].values, np.float32)
    assert np.array_equal(vector, embedder.embed_query("where is tea"))


def test_no_texts_are_no_vectors(stub: Any) -> None:
    answer = stub.EmbedBatch(EmbedRequest(texts=[]))
    assert list(answer.embeddings) == []
    assert answer.dimension == 384


def test_without_a_name_the_default_model_answers(stub: Any) -> None:
    assert stub.EmbedBatch(EmbedRequest(texts=["tea"])).model_name == LOCAL.name


@pytest.mark.parametrize(
    ("texts", "metadata", "code", "words"),
    [
        (["tea"] * (MOST_TEXTS + 1), (), "INVALID_ARGUMENT", "Send them in several"),
        (["tea " * 40_000], (), "INVALID_ARGUMENT", "Send less of it"),
        (["tea"], ((PURPOSE_KEY, "poem"),), "INVALID_ARGUMENT", "document or query"),
        # The library's own limit: 4 MB a message.
        (["tea " * 2_000_000], (), "RESOURCE_EXHAUSTED", "larger than max"),
    ],
)
def test_what_is_too_much_or_odd_is_refused(
    stub: Any, texts: list[str], metadata: Any, code: str, words: str
) -> None:
    request = EmbedRequest(texts=texts)
    found, said = refusal(lambda: stub.EmbedBatch(request, metadata=metadata))
    assert (found.name, words in said) == (code, True)


def test_an_unknown_model_is_answered_with_those_there_are(stub: Any) -> None:
    request = EmbedRequest(texts=["tea"], model_name="large")
    code, said = refusal(lambda: stub.EmbedBatch(request))
    assert code is grpc.StatusCode.NOT_FOUND
    assert LOCAL.name in said


def test_models_are_listed_as_configured(embedder: LocalEmbedder) -> None:
    values = {"models": (JINA, LOCAL), "default_model": JINA.name}
    with (
        serving_models(lambda _name: embedder, **values) as address,
        talking_to(address) as stub,
    ):
        listed = stub.ListModels(ListModelsRequest()).models
    assert [(m.name, m.dimension, m.max_length) for m in listed] == [
        ("jinaai/jina-embeddings-v2-base-code", 768, 8192),
        (LOCAL.name, 384, LOCAL.max_length),
    ]


# -- health ---------------------------------------------------------------------------


def test_it_says_that_it_is_healthy(stub: Any, address: str) -> None:
    answer = stub.Health(HealthRequest())
    assert (answer.healthy, answer.message) == (True, "Server is healthy")
    assert standard_health(address) == standard_health(address, "") == SERVING


def test_it_says_why_it_is_not_and_heals(tmp_path: Any) -> None:
    broken = Odd(zeros, EmbeddingUnavailable("no file"))
    with serving_models(lambda _name: broken) as address, talking_to(address) as stub:
        answer = stub.Health(HealthRequest())
        assert not answer.healthy
        assert answer.message.startswith("Error: ")
        assert "no file" in answer.message
        assert standard_health(address) == NOT_SERVING
        broken.problem = None
        assert stub.Health(HealthRequest()).healthy
        assert standard_health(address) == SERVING


def test_a_model_that_is_not_installed_does_not_end_the_server(
    embedder: LocalEmbedder, models_dir: Any
) -> None:  # its model is configured, but nothing is downloaded
    def build(name: str) -> LocalEmbedder:
        return LocalEmbedder(name, models_dir=models_dir)

    values = {"models": (JINA,), "default_model": JINA.name}
    with (
        serving_models(build, **values) as address,
        talking_to(address) as stub,
    ):
        code, said = refusal(lambda: stub.EmbedBatch(EmbedRequest(texts=["tea"])))
        assert not stub.ListModels(ListModelsRequest()).models
        assert not stub.Health(HealthRequest()).healthy
    assert code is grpc.StatusCode.NOT_FOUND
    assert said.startswith(f"The model “{JINA.name}” is configured but not installed")


def test_only_models_that_answer_are_listed(
    embedder: LocalEmbedder, models_dir: Any
) -> None:
    def build(name: str) -> LocalEmbedder:
        return LocalEmbedder(name, models_dir=models_dir)

    second = replace(JINA, preload=True)
    with (
        serving_models(build, models=(LOCAL, second)) as address,
        talking_to(address) as stub,
    ):
        listed = stub.ListModels(ListModelsRequest()).models
        assert [each.name for each in listed] == [LOCAL.name]
        for each in listed:
            request = EmbedRequest(texts=["tea"], model_name=each.name)
            assert len(stub.EmbedBatch(request).embeddings) == 1
        request = EmbedRequest(texts=["tea"], model_name=JINA.name)
        code, said = refusal(lambda: stub.EmbedBatch(request))
    assert code is grpc.StatusCode.NOT_FOUND
    assert f"Installed: {LOCAL.name}." in said


def test_a_model_that_fails_to_load_is_not_listed_until_it_loads() -> None:
    broken = Odd(zeros, EmbeddingUnavailable("no file"))
    with serving_models(lambda _name: broken) as address, talking_to(address) as stub:
        assert not stub.Health(HealthRequest()).healthy
        assert not stub.ListModels(ListModelsRequest()).models
        broken.problem = None
        assert stub.Health(HealthRequest()).healthy
        assert len(stub.ListModels(ListModelsRequest()).models) == 1


def test_wrong_dimensions_in_the_configuration_are_told() -> None:
    values = {"models": (ModelConfig(LOCAL.name, 768),)}
    with (
        serving_models(lambda _name: Odd(zeros), **values) as address,
        talking_to(address) as stub,
    ):
        assert "384 dimensions, not 768" in stub.Health(HealthRequest()).message


def test_its_services_can_be_asked_for(address: str) -> None:
    with grpc.insecure_channel(address) as channel:
        database = ProtoReflectionDescriptorDatabase(channel)
        assert set(database.get_services()) == {
            "embedding.EmbeddingService",
            "grpc.health.v1.Health",
            "grpc.reflection.v1alpha.ServerReflection",
        }
        found = database.FindFileContainingSymbol(SERVICE)
    assert [method.name for method in found.service[0].method] == [
        "EmbedBatch",
        "Health",
        "ListModels",
    ]


# -- loading --------------------------------------------------------------------------


@pytest.mark.parametrize(("is_preloaded", "loads"), [(True, 1), (False, 0)])
def test_models_load_at_start_or_with_the_first_call_and_once(
    is_preloaded: bool, loads: int
) -> None:
    model = Odd(zeros)
    values = {"models": (ModelConfig(LOCAL.name, 384, preload=is_preloaded),)}
    with (
        serving_models(lambda _name: model, **values) as address,
        talking_to(address) as stub,
    ):
        assert model.loads == loads
        for _ in range(3):
            stub.EmbedBatch(EmbedRequest(texts=["tea"]))
        assert model.loads == 1


# -- failures -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (EmbeddingUnavailable("w"), "UNAVAILABLE"),
        (EmbeddingInvalidArgument("w"), "INVALID_ARGUMENT"),
        (EmbeddingResourceExhausted("w"), "RESOURCE_EXHAUSTED"),
        (MemoryError(), "RESOURCE_EXHAUSTED"),
        (EmbeddingModelNotFound("w"), "NOT_FOUND"),
        (EmbeddingInternal("w"), "INTERNAL"),
        (ZeroDivisionError("w"), "INTERNAL"),
    ],
)
def test_failures_are_status_codes(error: Exception, code: str) -> None:
    model = Odd(raiser(error))
    with serving_models(lambda _name: model) as address, talking_to(address) as stub:
        found, said = refusal(lambda: stub.EmbedBatch(EmbedRequest(texts=["tea"])))
        assert stub.Health(HealthRequest()).healthy
    assert found.name == code
    assert said


def test_what_nobody_waits_for_is_not_computed_to_its_end() -> None:
    begun, go_on, portions = threading.Event(), threading.Event(), []

    def embed(texts: list[str]) -> Any:
        portions.append(len(texts))
        begun.set()
        go_on.wait(20)
        return zeros(texts)

    with (
        serving_models(lambda _name: Odd(embed)) as address,
        talking_to(address) as stub,
    ):
        call = stub.EmbedBatch.future(EmbedRequest(texts=["tea"] * 1000))
        assert begun.wait(20)
        call.cancel()
        # One connection keeps the order: who answers this knows of the cancellation.
        stub.Health(HealthRequest())
        go_on.set()
    assert sum(portions) < 1000


def test_a_call_at_work_is_answered_before_the_end() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def embed(texts: list[str]) -> Any:
        begun.set()
        go_on.wait(20)
        return zeros(texts)

    config = ServerConfig(port=0)
    listener = Listener(config, ModelCache(config, lambda _name: Odd(embed)))
    listener.start()
    with talking_to(listener.address) as stub:
        call = stub.EmbedBatch.future(EmbedRequest(texts=["tea"]))
        assert begun.wait(20)
        ending = threading.Thread(target=listener.stop)
        ending.start()
        late = EmbedRequest(texts=["late"])
        refused = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
        wait_until(
            lambda: refusal(lambda: stub.EmbedBatch(late, timeout=0.2))[0] in refused
        )
        go_on.set()
        assert len(call.result(20).embeddings) == 1
        ending.join(20)
    assert not ending.is_alive()


def test_a_taken_port_is_named(address: str) -> None:
    port = int(address.rpartition(":")[2])
    with (
        pytest.raises(ServiceError, match=f"127.0.0.1:{port}.*--port"),
        serving_models(lambda _name: Odd(zeros), port=port),
    ):
        raise AssertionError


# -- the log --------------------------------------------------------------------------


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    told = [r.msg for r in caplog.records if r.name == "devrag.embedding"]
    return [t for t in told if isinstance(t, dict) and "received_at" in t]


def test_each_batch_leaves_a_line(stub: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    stub.EmbedBatch(EmbedRequest(texts=["tea", "cart"]))
    refusal(lambda: stub.EmbedBatch(EmbedRequest(texts=["tea"], model_name="no")))
    good, bad = wait_until(lambda: lines(caplog)[:2] if len(lines(caplog)) > 1 else [])
    assert good["received_at"] < bad["received_at"]
    assert (good["model"], good["texts"], good["error"]) == (LOCAL.name, 2, "")
    assert good["seconds"] > 0
    assert (bad["model"], bad["texts"], bad["code"]) == ("no", 1, "NOT_FOUND")
    assert "no model “no”" in bad["error"]
