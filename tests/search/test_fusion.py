"""Reciprocal rank fusion, exactly as the seed's worked example."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.search.fusion import normalise, rrf

A, B, C, D = 1, 2, 3, 4
rankings = st.lists(st.integers(0, 30), unique=True, max_size=20)


def test_the_worked_example() -> None:  # T1, S4-3.4-2
    scores = rrf([[A, B, C], [C, A, D]])
    assert list(scores) == [A, C, B, D]
    expected = {A: 0.0325225, C: 0.0322665, B: 0.0161290, D: 0.0158730}
    assert scores == pytest.approx(expected, abs=5e-8)


@given(rankings, rankings)
def test_two_lists_never_exceed_the_maximum(
    one: list[int], two: list[int]
) -> None:  # T2
    scores = rrf([one, two])
    assert all(score <= 2 / 61 for score in scores.values())
    assert set(scores) == set(one) | set(two)


@given(rankings, rankings)
def test_normalised_scores_lie_between_0_and_1(one: list[int], two: list[int]) -> None:
    weights = (0.3, 0.7)
    scores = normalise(rrf([one, two], weights=weights), weights=weights)
    assert all(0 < score <= 1.0000001 for score in scores.values())


def test_ties_go_by_the_first_list_then_by_id() -> None:  # G17
    assert list(rrf([[9], [2]])) == [9, 2]
