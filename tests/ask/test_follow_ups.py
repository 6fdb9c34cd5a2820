"""A question that leans on those before it is asked with their subject."""

from __future__ import annotations

import pytest

from devrag.ask.evidence.candidates import PassageCandidate
from devrag.ask.evidence.follow_ups import prefer_new, repeated_ids, retrieval_text
from devrag.ask.types import AskRequest, Exchange
from devrag.core.principal import SYSTEM
from tests.ask.passages import passage

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


def test_what_was_shown_weighs_less_unless_it_is_named_again() -> None:
    shown = Exchange(FIRST, "1. `Pool` (`pool.py`) [1](cite:1)", ("pool.py",))

    def weight(question: str, path: str, title: str) -> float:
        candidate = PassageCandidate("s", path, 1, 9, "definition", 1.0, 1.0, title)
        asked = AskRequest(question, SYSTEM, history=(shown,))
        return prefer_new([candidate], asked)[0].weight

    assert weight("And where is it closed?", "pool.py", "Pool") < 1
    assert weight("And where is it closed?", "other.py", "Pool") == 1
    assert weight("And where is it closed?", "pool.py", "close") == 1
    assert weight("And where is the pool closed?", "pool.py", "Pool") == 1


def test_what_was_shown_comes_last_in_a_question_of_its_own_as_well() -> None:
    answer = "1. `open_pool` in `pool.py` [1](cite:1)"
    history = (Exchange(FIRST, answer, ("pool.py",)),)

    def repeated(question: str, *, first: int = 0) -> tuple[str, ...]:
        others = [passage(f"E{n}", "x.py", "…", title="x") for n in range(3, 6)]
        shown = passage("E1", "pool.py", "…", title="open_pool")
        new = passage("E2", "pool.py", "…", title="close_pool")
        asked = AskRequest(question, SYSTEM, history=history)
        return repeated_ids([*others[first:], shown, new], asked)

    assert repeated("How many connections does a pool have?") == ("E1",)
    assert repeated("Who calls `open_pool`?") == ()
    assert repeated("When does it open the pool?") == ()
    # What is nearest to a question of its own answers it.
    best = {"first": 3}
    assert repeated("How many connections does a pool have?", **best) == ()
    assert repeated("And how many does it have?", **best) == ("E1",)


def test_words_that_the_dictionary_misreads_are_written_apart() -> None:
    assert asked("StringBuilder はいつ使うべき？") == "StringBuilder は いつ 使うべき？"
    assert asked("名前に使えない文字は？") == "名前に利用可能な文字は？"
