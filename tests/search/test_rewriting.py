"""A question as what it is about, by a model once or by rules."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from devrag.core.errors import ProviderError
from devrag.core.principal import SYSTEM
from devrag.llm.chat import Completion, Message
from devrag.search.models import QueryRewrite
from devrag.search.rewriting import rewrite_by_rules, rewrite_query
from devrag.search.service import search
from devrag.search.types import SearchQuery


class Model:
    """A chat model that counts how often it is asked."""

    provider, model = "test", "counting"

    def __init__(self, answer: str | None) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_output_tokens: int = 2048,
        temperature: float = 0.2,
    ) -> Completion:
        self.asked.append(messages[-1].content)
        if self.answer is None:
            raise ProviderError("It is down.")
        return Completion(self.answer, 1, 1, "stop")


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("How do I start the server?", "start the server"),
        ("Where is the retry handled in this repo", "retry handled"),
        ("explain checkout, thanks", "checkout"),
        ("認証トークンの検証はどこで実装されていますか？", "認証トークンの検証"),
        ("カートの計算方法について教えてください", "カートの計算方法"),
        ("get_user_by_id", "get_user_by_id"),
        ("find_all", "find_all"),
        ("how", "how"),
        ("?", "?"),
    ],
)
def test_rules_leave_what_a_question_is_about(question: str, rest: str) -> None:
    assert rewrite_by_rules(question) == rest


def test_the_same_question_asks_the_model_once(db: None) -> None:
    model = Model("retry\n backoff")
    assert rewrite_query("How are calls tried again?", model) == "retry backoff"
    assert rewrite_query("How are calls tried again?", model) == "retry backoff"
    assert len(model.asked) == 1
    assert QueryRewrite.objects.get().query == "How are calls tried again?"


@pytest.mark.parametrize("answer", [None, " \n"])
def test_a_model_that_fails_leaves_the_query(db: None, answer: str | None) -> None:
    assert rewrite_query("Where is it?", Model(answer)) == "Where is it?"


def test_a_failure_is_not_remembered(db: None) -> None:
    rewrite_query("Where is it?", Model(None))
    assert not QueryRewrite.objects.exists()


def test_search_says_what_it_asked_instead(db: None) -> None:
    question = SearchQuery("How do I pay?", SYSTEM, mode="keyword", rewrite=True)
    result = search(question)
    assert result.notes[0] == "Searched for “pay”."
    assert result.query == question
    assert search(question, chat=Model("till")).notes[0] == "Searched for “till”."
