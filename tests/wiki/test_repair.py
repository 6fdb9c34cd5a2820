"""Refused sentences are asked for by themselves and put back where they stood."""

from __future__ import annotations

from devrag.wiki.checking.validators import Finding
from devrag.wiki.writing.model.repair import (
    faulty_sentences,
    read_repairs,
    with_sentences,
)

TEXT = "One is here [[E1]]. Two is `gone()` [[E2]].\n\n- Three is said [[E3]].\n"
GONE = Finding("a.md", "name", "gone() is not in the index", "Two is `gone()`.")


def test_the_sentence_of_a_finding_is_found_with_its_ids() -> None:
    (faulty,) = faulty_sentences(4, TEXT, [GONE])
    assert (faulty.section, faulty.sentence) == (4, "Two is `gone()` [[E2]].")


def test_what_is_said_twice_is_not_asked_for_again() -> None:
    said = Finding("a.md", "repeat", "the page says it already", "One is here.")
    assert list(faulty_sentences(0, TEXT, [said])) == []


def test_answers_are_lines_by_number_and_a_dash_takes_one_out() -> None:
    answer = "1| It is here [[E1]].\n\n2| -\nnonsense\n 3. It stays [[E3]]."
    assert read_repairs(answer) == {
        1: "It is here [[E1]].",
        2: "",
        3: "It stays [[E3]].",
    }


def test_a_sentence_is_replaced_where_it_stood() -> None:
    changed = {"Two is `gone()` [[E2]].": "Two is there [[E2]]."}
    assert with_sentences(TEXT, changed) == (
        "One is here [[E1]]. Two is there [[E2]].\n\n- Three is said [[E3]].\n"
    )


def test_an_entry_of_which_nothing_is_left_goes() -> None:
    assert with_sentences(TEXT, {"Three is said [[E3]].": ""}) == (
        "One is here [[E1]]. Two is `gone()` [[E2]].\n"
    )
