"""What kind of answer a question wants."""

from __future__ import annotations

import time

import pytest

from devrag.ask.question_kind import CONDITION, answer_kinds, asks_where


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("In what order does it look for values?", "order"),
        ("PreRun と PostRun はどの順に実行されますか？", "order"),
        ("Which characters are allowed?", "list"),
        ("AWS のリソース名に使えない文字は？", "list"),
        ("環境識別子には何がありますか？", "list"),
        ("How do I hide a command?", "steps"),
        ("フラグを必須にするには？", "steps"),
        ("When should StringBuilder be used?", "condition"),
        ("StringBuilder はいつ使うべき？", "condition"),
    ],
)
def test_the_words_of_a_question_tell_its_kind(question: str, kind: str) -> None:
    assert kind in answer_kinds(question)


def test_other_questions_have_none() -> None:
    assert not answer_kinds("Where is the view cached?")


def test_sentences_that_say_when_are_known() -> None:
    assert CONDITION.search("Use it when strings are joined.")
    assert CONDITION.search("連結を繰り返す際は利用します。")
    assert not CONDITION.search("It joins strings.")


def test_long_questions_take_no_time() -> None:
    began = time.perf_counter()
    answer_kinds("which " + "a " * 50_000)
    answer_kinds("どんな" + "あ" * 50_000)
    assert time.perf_counter() - began < 1


def test_questions_for_a_place_are_known() -> None:
    assert asks_where("Where is the view cached?")
    assert asks_where("ビューはどこでキャッシュされますか？")
    assert not asks_where("How do I know where to look?")
