"""answer_question(): events in order, and what cannot be asked."""

from __future__ import annotations

import asyncio

import pytest

from devrag.ask.api import answer_question, finish_answer
from devrag.ask.types import (
    MAX_QUESTION_CHARS,
    AskEvent,
    AskRequest,
    EvidenceFound,
    Finished,
)
from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM


@pytest.mark.parametrize("question", ["", "  \n", "x" * (MAX_QUESTION_CHARS + 1)])
def test_an_empty_or_overlong_question_is_refused(question: str) -> None:
    with pytest.raises(InvalidInput, match="question"):
        asyncio.run(finish_answer(answer_question(AskRequest(question, SYSTEM))))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("question", "language", "said"),
    [
        ("where is the token checked", "", "The sources do not answer"),
        ("トークンはどこで検証されますか", "", "この質問の答えはソースにありません"),
        ("where is the token checked", "ja", "この質問の答えはソースにありません"),
    ],
)
def test_an_answer_is_in_the_language_of_its_question(
    question: str, language: str, said: str
) -> None:
    request = AskRequest(question, SYSTEM, language=language)
    answer = asyncio.run(finish_answer(answer_question(request)))
    assert answer.markdown.startswith(said)


@pytest.mark.django_db(transaction=True)
def test_an_empty_installation_answers_that_there_is_nothing() -> None:
    async def collect() -> list[AskEvent]:
        asked = AskRequest("where is the token checked", SYSTEM)
        return [event async for event in answer_question(asked)]

    events = asyncio.run(collect())
    assert not any(isinstance(event, EvidenceFound) for event in events)
    (last,) = events[-1:]
    assert isinstance(last, Finished)
    assert last.answer.outcome == "not_found"
