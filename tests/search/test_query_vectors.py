"""Vectors of queries: waited for only so long, kept when they come, unlike failures."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from devrag.llm.embedder import Vector
from devrag.llm.errors import EmbeddingUnavailable
from devrag.search.semantic.query_vectors import EmbeddingLate, QueryVectors
from tests.waiting import wait_until

KEY = (1, "tea")
VECTOR = np.ones(2, dtype=np.float32)


def embedder(answer: Callable[[], Vector]) -> Any:
    return SimpleNamespace(embed_query=lambda _text: answer())


def fail() -> Vector:
    raise EmbeddingUnavailable("away")


@pytest.fixture
def go() -> Iterator[threading.Event]:
    """What a slow model waits for; let go at the end, so that no thread stays."""
    event = threading.Event()
    yield event
    event.set()


def test_a_failure_is_not_kept() -> None:
    vectors = QueryVectors()
    with pytest.raises(EmbeddingUnavailable, match="away"):
        vectors.get(KEY, embedder(fail), 10)
    assert vectors.get(KEY, embedder(lambda: VECTOR), 10) is VECTOR


def test_a_failure_after_the_time_is_not_kept_for_the_next(
    go: threading.Event,
) -> None:
    vectors = QueryVectors()

    def fail_late() -> Vector:
        go.wait(30)
        return fail()

    with pytest.raises(EmbeddingLate):
        vectors.get(KEY, embedder(fail_late), 0.01)
    go.set()
    wait_until(lambda: not vectors._late, 30, "the end of the call")
    assert vectors.get(KEY, embedder(lambda: VECTOR), 10) is VECTOR


class LastMoment(Future[Vector]):
    """A call that ends just when the time to wait for it is over."""

    def result(self, timeout: float | None = None) -> Vector:
        if timeout is not None:
            self.set_result(VECTOR)
            raise TimeoutError
        return super().result()


def test_a_vector_of_the_last_moment_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = QueryVectors()
    monkeypatch.setattr(vectors, "_find", lambda *_: LastMoment())
    assert vectors.get(KEY, embedder(fail), 0.01) is VECTOR


def test_a_timeout_of_the_model_is_its_failure() -> None:
    def time_out() -> Vector:
        raise TimeoutError("of the model")

    with pytest.raises(TimeoutError, match="of the model"):
        QueryVectors().get(KEY, embedder(time_out), 10)
