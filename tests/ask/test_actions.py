"""What a question wants done, and which definitions do it."""

from __future__ import annotations

import pytest

from devrag.ask.evidence.actions import read_action

CHECKED = "Where is the token checked?"


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("_check_token", "BearerToken.authenticate"),
        ("BearerToken.authenticate", "principal_of_token"),
        ("principal_of_token", "revoke_token"),
        ("verify_token", "make_token"),
    ],
)
def test_what_does_it_counts_more_than_what_has_its_name(
    better: str, worse: str
) -> None:
    action = read_action(CHECKED, CHECKED)
    assert action.worth(better, "the token") > action.worth(worse, "the token")


def test_the_action_without_its_subject_gains_nothing() -> None:
    action = read_action(CHECKED, CHECKED)
    assert action.worth("check_address", "of a host") == 1.0


def test_a_definition_counts_by_what_its_lines_do() -> None:
    action = read_action(CHECKED, CHECKED)
    does, not_ = "if not verify(token): raise", "token.colour = 1"
    assert action.worth("guard", does) > action.worth("guard", not_)


def test_a_follow_up_has_its_subject_from_before() -> None:
    first = "How does the connection pool open a connection?"
    action = read_action("And where is it closed?", f"And where is it closed?\n{first}")
    assert action.worth("Pool.close", "connection") > 1
    assert action.worth("Pool.open", "connection") < 1
    assert "shutdown" in action.restated
    assert "pool" in action.restated
    assert "open" not in action.restated.split()


def test_japanese_verbs_are_those_of_code() -> None:
    question = "トークンはどこで検証されますか"
    action = read_action(question, question)
    assert action.worth("validate_token", "") > action.worth("revoke_token", "")


def test_a_question_without_a_verb_prefers_nothing() -> None:
    question = "What is the token for?"
    assert read_action(question, question).worth("revoke_token", "") == 1.0


def test_a_japanese_question_is_restated_in_the_words_of_code() -> None:
    question = "コマンドを追加するには？"
    assert read_action(question, question).restated == "command add"
