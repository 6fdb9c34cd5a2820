from __future__ import annotations

from decimal import Decimal

import pytest

from devrag.llm.chat import Message, Usage
from devrag.llm.prices import (
    PRICES,
    Price,
    cost_of,
    most_usage,
    price_note,
    price_of,
    read_prices,
)

TEN = Price.of("10", "1", "100", "12.5")


@pytest.mark.parametrize(
    ("model", "known_as"),
    [
        ("gpt-4.1-mini", "gpt-4.1-mini"),
        ("openai/gpt-4.1-mini", "gpt-4.1-mini"),
        ("gpt-4.1-mini-2025-04-14", "gpt-4.1-mini"),
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
    ],
)
def test_a_model_is_found_by_its_plain_name(model: str, known_as: str) -> None:
    assert price_of(model) == PRICES[known_as]


@pytest.mark.parametrize("model", ["qwen3:8b", "gpt-4.1-mini-turbo", "gpt", ""])
def test_a_price_is_not_guessed(model: str) -> None:
    assert price_of(model) is None


def test_settings_replace_and_extend_the_list() -> None:
    own = read_prices("gpt-4o=1/2/3, my/model=0.5/0.05/2")
    assert price_of("gpt-4o", own) == Price.of("1", "2", "3")
    assert price_of("my/model", own) == Price.of("0.5", "0.05", "2")


@pytest.mark.parametrize(
    "text", ["a", "a=1/2", "a=1/2/x", "=1/2/3", "a=1/2/-3", "a=1/2/nan"]
)
def test_what_is_no_price_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"my-model=0\.5/0\.05/2"):
        read_prices(text)


@pytest.mark.parametrize(
    ("usage", "dollars"),
    [
        (Usage(1_000_000, 0), "10"),
        (Usage(0, 1_000_000), "100"),
        (Usage(1_000_000, 0, cached_input_tokens=1_000_000), "1"),
        (Usage(1_000_000, 0, cache_written_tokens=1_000_000), "12.5"),
        (Usage(1_000_000, 10_000, 500_000, 300_000), "7.25"),
        (Usage(1, 0, cached_input_tokens=1), "0.000001"),
    ],
)
def test_each_kind_of_token_has_its_price(usage: Usage, dollars: str) -> None:
    assert cost_of(usage, TEN) == Decimal(dollars)


def test_a_model_without_a_price_costs_nothing_and_that_is_said() -> None:
    assert cost_of(Usage(1000, 1000), None) == 0
    assert "LLM_PRICES=qwen3:8b=" in price_note("qwen3:8b")


def test_no_call_can_use_more_than_its_most() -> None:
    most = most_usage([Message("user", "税金" * 100)], 2048)
    assert most.input_tokens >= 600
    assert most.output_tokens == 2048
    assert cost_of(most, TEN) >= cost_of(Usage(600, 2048), TEN)
