"""What a section is given follows the model's window."""

from __future__ import annotations

import pytest

from devrag.wiki.writing.model.budget import ENOUGH, budget_of_window


@pytest.mark.parametrize("window", [8_192, 12_000, 16_384, 24_000])
def test_prompt_and_answers_fit_the_window(window: int) -> None:
    room = budget_of_window(window)
    tokens = (room.facts + room.evidence + 1_000) * 1.35
    assert tokens + 2_048 + 800 <= window
    assert room.evidence > room.facts > 500


def test_a_large_window_changes_nothing() -> None:
    assert budget_of_window(32_768) == budget_of_window(1_000_000) == ENOUGH
