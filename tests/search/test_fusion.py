"""Reciprocal rank fusion, against an example worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.search.fusion import list_weights, normalise, rrf

A, B, C, D = 1, 2, 3, 4
rankings = st.lists(st.integers(0, 30), unique=True, max_size=20)


def test_the_worked_example() -> None:
    scores = rrf([[A, B, C], [C, A, D]])
    assert list(scores) == [A, C, B, D]
    expected = {A: 0.0325225, C: 0.0322665, B: 0.0161290, D: 0.0158730}
    assert scores == pytest.approx(expected, abs=5e-8)


@given(rankings, rankings)
def test_two_lists_never_exceed_the_maximum(one: list[int], two: list[int]) -> None:
    scores = rrf([one, two])
    assert all(score <= 2 / 61 for score in scores.values())
    assert set(scores) == set(one) | set(two)


@given(rankings, rankings)
def test_normalised_scores_lie_between_0_and_1(one: list[int], two: list[int]) -> None:
    weights = (0.3, 0.7)
    scores = normalise(rrf([one, two], weights=weights), weights=weights)
    assert all(0 < score <= 1.0000001 for score in scores.values())


def test_ties_go_by_the_first_list_then_by_id() -> None:
    assert list(rrf([[9], [2]])) == [9, 2]


def test_a_list_counts_by_its_weight() -> None:
    assert list(rrf([[A, B], [C, D]], weights=(0.3, 0.7))) == [C, D, A, B]


def test_first_in_every_list_scores_1() -> None:
    weights = (0.4, 0.6)
    scores = rrf([[A, B], [A, C]], weights=weights)
    assert normalise(scores, weights=weights)[A] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("kind", "is_by_words"),
    [
        ({"is_name": True, "is_japanese": False}, True),
        ({"is_name": False, "is_japanese": False}, False),
        ({"is_name": False, "is_japanese": True}, False),
    ],
)
def test_names_lean_on_words_and_sentences_on_meaning(
    kind: dict[str, bool], is_by_words: bool
) -> None:
    lexical, semantic = list_weights(**kind)
    assert lexical + semantic == pytest.approx(1.0)
    assert (lexical > semantic) == is_by_words


def test_japanese_leans_on_meaning_more() -> None:
    sentence = list_weights(is_name=False, is_japanese=False)
    assert list_weights(is_name=False, is_japanese=True)[1] > sentence[1]
