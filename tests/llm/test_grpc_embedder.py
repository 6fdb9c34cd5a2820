"""The client of embedding servers, against one that answers by a script."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain

import grpc
import numpy as np
import pytest

from devrag.core.errors import ProviderError
from devrag.llm.embedder import Embedder
from devrag.llm.errors import (
    EmbeddingInternal,
    EmbeddingInvalidArgument,
    EmbeddingModelNotFound,
    EmbeddingResourceExhausted,
    EmbeddingUnavailable,
)
from tests.llm.embedding_servers import SIZE, ScriptedService, client_of, scripted
from tests.model_server import vector_of

UNAVAILABLE = grpc.StatusCode.UNAVAILABLE


@pytest.fixture
def served() -> Iterator[tuple[ScriptedService, str]]:
    with scripted() as both:
        yield both


@pytest.fixture
def service(served: tuple[ScriptedService, str]) -> ScriptedService:
    return served[0]


@pytest.fixture
def client(served: tuple[ScriptedService, str]) -> Embedder:
    return client_of(served[1])


def failure_of(embedder: Embedder) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        embedder.embed_documents(["tea"])
    return caught.value


def test_twenty_texts_are_three_calls_and_keep_their_order(
    service: ScriptedService, client: Embedder
) -> None:
    texts = [f"text {n:02}" for n in range(20)]
    matrix = client.embed_documents(texts)
    for text, row in zip(texts, matrix, strict=True):
        expected = np.array(vector_of(text, SIZE))
        assert row == pytest.approx(expected / np.linalg.norm(expected), abs=1e-6)
    calls = sorted(service.seen)
    assert [len(call) for call in calls] == [8, 8, 4]
    assert list(chain.from_iterable(calls)) == texts
    assert client.count_calls(texts) == 3


def test_no_texts_are_no_call(service: ScriptedService, client: Embedder) -> None:
    assert client.embed_documents([]).shape == (0, SIZE)
    assert service.seen == []


def test_vectors_of_a_model_of_unknown_size_are_taken_as_they_come(
    served: tuple[ScriptedService, str],
) -> None:
    client = client_of(served[1], dimensions=0)
    assert client.embed_documents(["tea", "cart"]).shape == (2, SIZE)


def test_the_server_is_told_questions_from_documents(
    service: ScriptedService, client: Embedder
) -> None:
    client.embed_documents(["tea"])
    client.embed_query("tea")
    assert service.purposes == ["document", "query"]


def test_a_call_that_is_turned_away_is_made_up_to_four_times(
    service: ScriptedService, client: Embedder
) -> None:
    service.script = [UNAVAILABLE, grpc.StatusCode.CANCELLED, UNAVAILABLE]
    assert client.embed_documents(["tea"]).shape == (1, SIZE)
    assert len(service.seen) == 4


@pytest.mark.slow
def test_after_three_retries_it_fails_with_the_way_out(
    served: tuple[ScriptedService, str], service: ScriptedService, client: Embedder
) -> None:
    service.script = [UNAVAILABLE] * 9
    error = failure_of(client)
    assert isinstance(error, EmbeddingUnavailable)
    assert not error.permanent
    for part in (served[1], "by the script", "devrag embedding_server", "THE_ADDRESS"):
        assert part in error.message
    assert len(service.seen) == 4


def test_a_question_is_asked_once(service: ScriptedService, client: Embedder) -> None:
    service.script = [UNAVAILABLE] * 2
    with pytest.raises(EmbeddingUnavailable):
        client.embed_query("tea")
    assert len(service.seen) == 1


@pytest.mark.slow
def test_a_server_that_is_away_is_named() -> None:
    with scripted() as (_, address):
        client = client_of(address)
    error = failure_of(client)
    assert isinstance(error, EmbeddingUnavailable)
    assert not error.permanent
    assert address in error.message
    assert client.health().message.startswith("Error: ")


def test_a_server_that_comes_back_is_found_again() -> None:
    with scripted() as (_, address):
        client = client_of(address)
        client.embed_documents(["tea"])
        client.embed_query("tea")
    with pytest.raises(EmbeddingUnavailable):
        client.embed_query("tea")
    with scripted(int(address.rpartition(":")[2])) as (again, _):
        assert client.embed_documents(["cart"]).shape == (1, SIZE)
        assert again.seen == [["cart"]]


def test_a_deadline_ends_the_waiting(
    served: tuple[ScriptedService, str],
) -> None:
    served[0].script = ["late"]
    error = failure_of(client_of(served[1], timeout_seconds=1))
    assert isinstance(error, EmbeddingUnavailable)
    assert "did not respond within 1 s" in error.message


def test_a_question_has_a_deadline_of_its_own(
    served: tuple[ScriptedService, str],
) -> None:
    served[0].script = ["late"]
    with pytest.raises(EmbeddingUnavailable, match=r"within 0\.3 s"):
        client_of(served[1], query_timeout_seconds=0.3).embed_query("tea")


@pytest.mark.parametrize(
    ("code", "kind", "is_permanent"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, EmbeddingInvalidArgument, True),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, EmbeddingResourceExhausted, False),
        (grpc.StatusCode.NOT_FOUND, EmbeddingModelNotFound, True),
        (grpc.StatusCode.INTERNAL, EmbeddingInternal, False),
        (grpc.StatusCode.UNIMPLEMENTED, EmbeddingUnavailable, True),
        (grpc.StatusCode.PERMISSION_DENIED, EmbeddingInternal, False),
    ],
)
def test_a_status_becomes_the_error_of_its_kind(
    served: tuple[ScriptedService, str],
    code: grpc.StatusCode,
    kind: type[ProviderError],
    is_permanent: bool,
) -> None:
    service, address = served
    service.script = [code]
    error = failure_of(client_of(address))
    assert (type(error), error.permanent) == (kind, is_permanent)
    assert code.name in error.message
    assert address in error.message
    assert len(service.seen) == 1


def test_nothing_is_sent_to_a_server_that_is_not_healthy(
    service: ScriptedService, client: Embedder
) -> None:
    service.problem = "Error: no model here"
    assert "no model here" in failure_of(client).message
    assert service.seen == []
    service.problem = ""
    assert client.embed_documents(["tea"]).shape == (1, SIZE)


def test_other_dimensions_are_refused_for_good(
    service: ScriptedService, client: Embedder
) -> None:
    service.size = 6
    error = failure_of(client)
    assert error.permanent
    assert "use grpc/small --dimensions 6" in error.message


@pytest.mark.slow
def test_only_who_uses_it_loads_grpc() -> None:
    code = (
        "import sys, django, os\n"
        "os.environ['DJANGO_SETTINGS_MODULE'] = 'devrag.settings'\n"
        "django.setup()\n"
        "import devrag.search.service, devrag.use_cases.tasks\n"
        "print([name for name in sys.modules if name.split('.')[0] == 'grpc'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_other_programs_start_beside_an_open_connection(
    served: tuple[ScriptedService, str],
) -> None:
    with grpc.insecure_channel(served[1]) as channel:
        grpc.channel_ready_future(channel).result(timeout=20)
        # `user` makes Python fork, as it does for PostgreSQL's tools under root.
        ended = [
            subprocess.run(["true"], user=os.getuid(), check=False).returncode
            for _ in range(300)
        ]
    assert set(ended) == {0}
