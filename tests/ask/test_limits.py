"""Only so many answers are written at once, also those that are not kept."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import pytest

from devrag.ask.api import TooManyRunning, answer_question, finish_answer
from devrag.ask.limits import MAX_RUNNING, running_answer
from devrag.ask.types import Answer, AskRequest, Scope
from devrag.core.principal import SYSTEM

from .talking import make_product

pytestmark = pytest.mark.django_db(transaction=True)


def answer() -> Answer:
    asked = AskRequest("Where is Greeter greet?", SYSTEM, Scope(products=("harbour",)))
    return asyncio.run(finish_answer(answer_question(asked)))


def test_an_answer_beyond_the_limit_is_refused_until_another_ends() -> None:
    make_product("harbour")
    with ExitStack() as others:
        for _ in range(MAX_RUNNING):
            others.enter_context(running_answer())
        with pytest.raises(TooManyRunning):
            answer()
    assert answer().citations
    with ExitStack() as others:  # the refused one and the answered one count no more
        for _ in range(MAX_RUNNING):
            others.enter_context(running_answer())
