"""What a request is given follows the model's window."""

from __future__ import annotations

import pytest

from devrag.wiki.writing.model.budget import WHOLE_PAGE, budget_of_window


@pytest.mark.parametrize("window", [8_192, 12_000, 16_384, 24_000])
def test_prompt_and_answers_fit_the_window(window: int) -> None:
    room = budget_of_window(window)
    tokens = (room.facts + room.evidence + 1_000) * 1.35
    assert tokens + room.answer + 800 <= window
    assert room.evidence > room.facts > 500


def test_a_page_is_written_at_once_from_64k_tokens_on() -> None:
    assert not budget_of_window(63_999).is_whole_page
    assert budget_of_window(64_000) == budget_of_window(1_000_000) == WHOLE_PAGE


def test_a_page_gets_12_to_16k_tokens_of_evidence() -> None:
    assert 12_000 <= WHOLE_PAGE.evidence <= 16_000
