"""Which of several definitions is meant: by a button or in words."""

from __future__ import annotations

import pytest

from devrag.ask.trace.choices import Candidate, choices_of, chosen_by
from devrag.ask.trace.question import read_endpoints

CORE, TESTING = "src/click/core.py", "src/click/testing.py"
INVOKES = [
    Candidate("click", CORE, "Context.invoke"),
    Candidate("click", CORE, "Command.invoke"),
    Candidate("click", TESTING, "CliRunner.invoke"),
]


def ends(question: str) -> tuple[str, str]:
    found = read_endpoints(question)
    assert found is not None
    return found.start.text, found.end.text


@pytest.mark.parametrize(
    "question", ["How does invoke reach `main`?", "`invoke` から `main` まで"]
)
def test_a_choice_asks_for_one_definition(question: str) -> None:
    choices = choices_of(question, INVOKES)
    assert [ends(each.question) for each in choices] == [
        ("Context.invoke", "main"),
        ("Command.invoke", "main"),
        ("CliRunner.invoke", "main"),
    ]
    assert {each.end for each in choices} == {"invoke"}


def test_choices_of_both_ends_keep_the_other_one() -> None:
    mains = [
        Candidate("click", CORE, "Command.main"),
        Candidate("click", "a.py", "main"),
    ]
    choices = choices_of(
        "How does invoke reach the token main?", [*INVOKES[:1], *mains]
    )
    assert [each.end for each in choices] == ["invoke", "token main", "token main"]
    assert ends(choices[0].question) == ("Context.invoke", "token main")
    assert ends(choices[1].question) == ("invoke", "Command.main")


def test_equal_names_are_told_apart_by_their_files_and_sources() -> None:
    closes = [
        Candidate("shop", "a/close.py", "close"),
        Candidate("shop", "b/close.py", "close"),
        Candidate("till", "b/close.py", "close"),
    ]
    choices = choices_of("How does `serve` reach `close`?", closes)
    assert [ends(each.question)[1] for each in choices] == [
        "a/close.py:close",
        "shop/b/close.py:close",
        "till/b/close.py:close",
    ]


def test_a_name_that_is_nowhere_is_replaced_by_a_similar_one() -> None:
    similar = [Candidate("click", CORE, "Context.invoke")]
    (choice,) = choices_of("How does `main` reach `invok`?", similar)
    assert ends(choice.question) == ("main", "Context.invoke")


def test_choices_of_a_reply_are_replies() -> None:
    (choice, *_) = choices_of("Context.invoke", INVOKES)
    assert choice.question == "`Context.invoke`"


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("Context.invoke", [0]),
        ("I mean `Command::invoke`, please.", [1]),
        ("the one in testing.py", [2]),
        ("src/click/core.py", [0, 1]),
        ("CliRunnerのほうです", [2]),
        ("Context.invokeです", [0]),
        ("src/click/core.pyのCommandです", [1]),
        ("core.py の Context.invoke", [0]),
        ("invoke", []),
        ("OtherContext.invoked", []),
        ("Where is it closed?", []),
        ("", []),
    ],
)
def test_a_reply_names_a_candidate(reply: str, chosen: list[int]) -> None:
    assert chosen_by(reply, INVOKES) == chosen


def test_the_longest_name_is_meant() -> None:
    found = [Candidate("s", "a.py", "invoke"), Candidate("s", "b.py", "Context.invoke")]
    assert chosen_by("Context.invoke", found) == [1]
    assert chosen_by("the invoke in a.py", found) == [0]
