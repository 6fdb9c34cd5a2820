"""Only so many answers are written at once, of one asker and in all, kept or not."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import pytest

from devrag.ask.api import TooManyRunning, answer_question, check_request, finish_answer
from devrag.ask.limits import (
    MAX_RUNNING,
    MAX_RUNNING_PER_OWNER,
    asker_of,
    running_answer,
)
from devrag.ask.models import Turn
from devrag.ask.types import Answer, AskRequest, Scope
from devrag.core.foreground import web_requests
from devrag.core.principal import SYSTEM, Principal, Role
from tests.people import People, principal

from .talking import answer as answer_turn
from .talking import ask, make_product

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = AskRequest("Where is Greeter greet?", SYSTEM, Scope(products=("harbour",)))


def answer() -> Answer:
    return asyncio.run(finish_answer(answer_question(ASKED)))


def run_others(others: ExitStack, count: int, asker: str = "") -> None:
    for number in range(count):
        others.enter_context(running_answer(asker or f"user {number}"))


@pytest.mark.parametrize(
    ("count", "asker"),
    [(MAX_RUNNING, ""), (MAX_RUNNING_PER_OWNER, asker_of(SYSTEM))],
    ids=["in all", "of one asker"],
)
def test_an_answer_beyond_a_limit_is_refused_until_another_ends(
    count: int, asker: str
) -> None:
    make_product("harbour")
    with ExitStack() as others:
        run_others(others, count, asker)
        with pytest.raises(TooManyRunning):
            answer()
        with pytest.raises(TooManyRunning):
            check_request(ASKED)
    assert answer().citations
    with ExitStack() as others:  # the refused one and the answered one count no more
        run_others(others, count, asker)


def test_a_kept_question_counts_with_those_that_are_not_kept(people: People) -> None:
    make_product("harbour")
    alice = principal(people.alice)
    turn = ask(alice, "Where is Greeter greet?", "harbour")
    with ExitStack() as others:
        run_others(others, MAX_RUNNING_PER_OWNER, asker_of(alice))
        with pytest.raises(TooManyRunning):
            answer_turn(turn, alice)
        turn.refresh_from_db()
        assert turn.state == Turn.State.WAITING
    answer_turn(turn, alice)
    assert turn.state == Turn.State.DONE


def test_pages_go_first_while_many_questions_are_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paused: list[float] = []
    monkeypatch.setattr(web_requests, "let_pass", paused.append)
    make_product("harbour")
    assert answer().citations
    assert not paused
    with ExitStack() as others:
        run_others(others, 2)
        assert answer().citations
    assert paused


def test_users_tokens_and_browsers_are_counted_apart() -> None:
    def token(name: str, user_id: int | None = None) -> Principal:
        return Principal(name, Role.VIEWER, user_id, scopes=frozenset({"read"}))

    browser = Principal("anonymous", Role.VIEWER)
    assert asker_of(token("token a", 3)) == asker_of(token("token b", 3))
    names = [
        asker_of(token("token a", 3)),
        asker_of(token("token a")),
        asker_of(token("token b")),
        asker_of(browser, "session"),
        asker_of(browser, "another"),
    ]
    assert len(set(names)) == len(names)
    # Kept or not: what a token owns of conversations makes no difference.
    assert asker_of(token("token a"), "key") == asker_of(token("token a"))
