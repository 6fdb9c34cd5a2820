"""A question that leans on those before it is asked with their subject."""

from __future__ import annotations

import pytest

from devrag.ask.evidence.follow_ups import retrieval_text
from devrag.ask.types import AskRequest, Exchange
from devrag.core.principal import SYSTEM

FIRST = "How does the connection pool open a connection?"


def asked(question: str, *before: str) -> str:
    history = tuple(Exchange(each, "An answer.") for each in before)
    return retrieval_text(AskRequest(question, SYSTEM, history=history))


@pytest.mark.parametrize(
    "question",
    ["And where is it closed?", "Why?", "それはどこで閉じられますか", "where?"],
)
def test_it_brings_the_subject_along(question: str) -> None:
    assert asked(question, FIRST) == f"{question}\n{FIRST}"


@pytest.mark.parametrize(
    "question",
    ["How are cookies signed by the server?", "What does `Pool.close` do?"],
)
def test_a_question_of_its_own_stands_alone(question: str) -> None:
    assert asked(question, FIRST) == question


def test_the_subject_may_lie_further_back() -> None:
    found = asked("And why is that?", FIRST, "And where is it closed?")
    assert found.endswith(FIRST)


def test_the_first_question_has_nothing_before_it() -> None:
    assert asked("Where is it closed?") == "Where is it closed?"
