"""Asking again, with pauses that are written down instead of waited for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from devrag.core.errors import Conflict, DevragError
from devrag.llm.chat import Completion
from devrag.llm.errors import ChatInternal, ChatResourceExhausted, ChatUnavailable
from devrag.llm.retries import ask_patiently

DONE = Completion("Tea.", 1, 1, "stop")


@pytest.fixture
def pauses() -> list[float]:
    return []


def after(*failures: DevragError) -> Callable[[], Completion]:
    """Return a call that fails so often before it brings something."""
    left: Iterator[DevragError] = iter(failures)

    def ask() -> Completion:
        for failure in left:
            raise failure
        return DONE

    return ask


def test_three_failures_are_forgiven(pauses: list[float]) -> None:
    ask = after(*[ChatInternal("500")] * 3)
    assert ask_patiently(ask, pause=pauses.append) is DONE
    assert pauses == [1, 5, 20]


def test_the_fourth_is_not(pauses: list[float]) -> None:
    with pytest.raises(ChatInternal):
        ask_patiently(after(*[ChatInternal("500")] * 4), pause=pauses.append)
    assert len(pauses) == 3


def test_a_provider_is_left_alone_as_long_as_it_asks(pauses: list[float]) -> None:
    limit = ChatResourceExhausted("429", retry_after_seconds=42)
    ask_patiently(after(limit, ChatInternal("500")), pause=pauses.append)
    assert pauses == [42, 5]


@pytest.mark.parametrize(
    "failure",
    [
        ChatUnavailable("401", permanent=True),
        Conflict("the cap is reached"),
        ChatResourceExhausted("429", retry_after_seconds=3600),
    ],
)
def test_what_waiting_does_not_help_is_told_at_once(
    failure: DevragError, pauses: list[float]
) -> None:
    with pytest.raises(type(failure)):
        ask_patiently(after(failure), pause=pauses.append)
    assert pauses == []
