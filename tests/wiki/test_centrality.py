"""Sentences are chosen by how close they are to a subject, none said twice."""

from __future__ import annotations

from collections import Counter

from devrag.wiki.analysis.centrality import choose_central, weigh_texts

CLIENT = "A client is what sends requests over connections that it keeps."
AGAIN = "A client is what sends requests over the connections which it keeps."
HOOKS = "Hooks of the client are called before requests and after responses."
WEATHER = "Yesterday a gentle rain fell over the hills behind the old town."
SUBJECT = Counter({"client": 4, "request": 2, "connection": 1})


def test_a_text_on_the_subject_weighs_more() -> None:
    about, beside = weigh_texts([HOOKS, WEATHER], SUBJECT)
    assert about > 2 * beside


def test_a_definition_comes_first() -> None:
    assert choose_central([HOOKS, CLIENT, WEATHER], SUBJECT, 1) == [1]


def test_the_same_is_not_said_twice() -> None:
    assert choose_central([CLIENT, AGAIN, HOOKS], SUBJECT, 2) == [0, 2]


def test_what_is_far_from_the_subject_is_not_chosen() -> None:
    assert choose_central([CLIENT, WEATHER], SUBJECT, 2) == [0]


def test_a_bonus_decides_between_equals() -> None:
    assert choose_central([CLIENT, AGAIN], SUBJECT, 1, [0.0, 1.0]) == [1]


def test_nothing_is_chosen_of_nothing() -> None:
    assert choose_central([], SUBJECT, 2) == []
