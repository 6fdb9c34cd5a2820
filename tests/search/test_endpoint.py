"""The reranker that settings name: how long it is waited for, and left alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from devrag.core.time_limit import time_limit
from devrag.llm.errors import RerankerError
from devrag.llm.providers import Reranker
from devrag.search.reranking.endpoint import (
    Rest,
    active_reranker,
    ask_in_time,
    forget_failures,
)
from tests.rerank_server import RerankServer, rerank_server
from tests.scripted_server import Scripted


@pytest.fixture
def server(settings: Any) -> Iterator[RerankServer]:
    with rerank_server() as server:
        settings.RERANK_BASE_URL = server.url
        settings.RERANK_MODEL = "m"
        forget_failures()
        yield server
    forget_failures()


@pytest.fixture
def reranker(server: RerankServer) -> Reranker:
    """The reranker with its client, which takes a while to import."""
    reranker = active_reranker()
    assert reranker is not None
    return reranker


def ask() -> tuple[float, ...]:
    reranker = active_reranker()
    assert reranker is not None
    return ask_in_time(reranker, "tea", ["tea", "coffee"]).scores


def test_there_is_none_by_default() -> None:
    assert active_reranker() is None


def test_it_follows_the_settings(server: RerankServer, settings: Any) -> None:
    assert ask() == (1.0, 0.0)
    first = active_reranker()
    assert active_reranker() is first
    settings.RERANK_MODEL = "other"
    other = active_reranker()
    assert other is not None
    assert other.name == "other"


@pytest.mark.django_db
def test_it_is_given_up_in_time(server: RerankServer, reranker: Reranker) -> None:
    server.script = [Scripted(is_late=True)]
    with time_limit(1.0), pytest.raises(RerankerError, match="not respond in time"):
        ask_in_time(reranker, "tea", ["tea"])


@pytest.mark.django_db
def test_it_is_not_asked_when_no_time_is_left(server: RerankServer) -> None:
    with time_limit(0.01), pytest.raises(RerankerError, match="left no time"):
        ask()
    assert server.seen == []
    assert ask() == (1.0, 0.0)


def test_a_failing_one_is_left_alone(server: RerankServer) -> None:
    server.script = [Scripted(500, {"error": "oops"})]
    for _ in range(3):
        with pytest.raises(RerankerError, match="oops"):
            ask()
    assert len(server.seen) == 1
    forget_failures()
    assert ask() == (1.0, 0.0)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now

    def is_resting(self, rest: Rest, now: float) -> bool:
        self.now = now
        try:
            rest.check()
        except RerankerError:
            return True
        return False


def test_the_rest_doubles_with_each_failure_in_a_row_up_to_five_minutes() -> None:
    clock = Clock()
    rest = Rest(clock)
    for seconds in (10, 20, 40, 80, 160, 300, 300):
        began = clock.now
        rest.note_failure(RerankerError("away"))
        assert clock.is_resting(rest, began + seconds - 1)
        assert not clock.is_resting(rest, began + seconds)


def test_an_answer_ends_the_rest() -> None:
    clock = Clock()
    rest = Rest(clock)
    rest.note_failure(RerankerError("away"))
    rest.note_failure(RerankerError("away"))
    rest.end()
    assert not clock.is_resting(rest, 1)
    rest.note_failure(RerankerError("away"))
    assert not clock.is_resting(rest, 11)


def test_a_server_is_left_alone_as_long_as_it_asks() -> None:
    clock = Clock()
    rest = Rest(clock)
    rest.note_failure(RerankerError("slow down", retry_after_seconds=77))
    assert clock.is_resting(rest, 76)
    assert not clock.is_resting(rest, 77)
