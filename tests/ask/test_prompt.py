"""What a model is asked."""

from __future__ import annotations

from dataclasses import replace

from devrag.ask.types import AskRequest, Exchange, Scope
from devrag.ask.writing.prompt import (
    SYSTEM,
    fence_of,
    language_of,
    messages_of,
)
from devrag.core.principal import SYSTEM as ASKER
from tests.ask.passages import ASKED, PASSAGES

REQUEST = AskRequest(ASKED, ASKER)


def prompt_of(request: AskRequest) -> str:
    fence = fence_of(request, PASSAGES)
    system, user = messages_of(request, PASSAGES, fence)
    assert (system.content, system.is_repeated) == (SYSTEM, True)
    return user.content


def test_passages_stand_between_marks_with_their_places() -> None:
    prompt = prompt_of(REQUEST)
    assert "[[E1]] shop/till.py 6-9 (definition charge)\ndef charge" in prompt
    assert prompt.count("<<DATA-") == prompt.count("DATA-") / 2 == len(PASSAGES)


def test_what_a_passage_says_itself_is_not_said_before_it() -> None:
    till = replace(PASSAGES[0], text='def charge():\n    """Take the\n    money."""')
    passages = (replace(till, why="Take the money."), replace(till, why="Used by x"))
    prompt = messages_of(REQUEST, passages, fence_of(REQUEST, passages))[1].content
    assert prompt.count("(definition charge)\n") == 1
    assert "(definition charge): Used by x\n" in prompt


def test_what_indents_all_lines_is_not_sent() -> None:
    method = replace(PASSAGES[0], text="    def charge(self):\n        return 1")
    prompt = messages_of(REQUEST, [method], fence_of(REQUEST, [method]))[1].content
    assert "(definition charge)\ndef charge(self):\n    return 1\n" in prompt


def test_several_sources_are_told_apart() -> None:
    passages = (PASSAGES[0], replace(PASSAGES[1], source="other"))
    fence = fence_of(REQUEST, passages)
    prompt = messages_of(REQUEST, passages, fence)[1].content
    assert "[[E1]] shop: shop/shop/till.py 6-9" in prompt
    assert "[[E2]] shop: other/shop/cart.py" in prompt


def test_the_question_stands_last_with_the_language_of_the_answer() -> None:
    assert prompt_of(REQUEST).endswith(f"The question:\n{ASKED}\n\nAnswer in English.")


def test_the_language_is_that_of_the_question_unless_one_is_asked_for() -> None:
    asked = replace(REQUEST, question="税金はどう計算されますか")
    assert language_of(asked) == "ja"
    assert language_of(replace(asked, language="en")) == "en"


def test_the_last_exchanges_are_told_in_short() -> None:
    turns = tuple(
        Exchange(f"question {n}", f"answer {n} [1](cite:1). {'long ' * 1000}")
        for n in range(5)
    )
    prompt = prompt_of(replace(REQUEST, history=turns))
    assert "question 1" not in prompt
    assert all(f"question {n}" in prompt for n in (2, 3, 4))
    assert "cite:" not in prompt
    assert len(prompt) < 10_000


def test_what_may_not_be_sent_of_an_answer_is_not_told() -> None:
    turns = (Exchange("why?", "Secret. Open.", sendable="Open."),)
    prompt = prompt_of(replace(REQUEST, history=turns))
    assert "Answered: Open." in prompt
    assert "Secret" not in prompt


def test_the_lines_that_are_asked_about_are_named() -> None:
    scope = Scope(path="shop/till.py", lines=(6, 9))
    assert "lines 6-9 of `shop/till.py`" in prompt_of(replace(REQUEST, scope=scope))
