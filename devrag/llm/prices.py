"""What language models cost: list prices, which settings replace and extend."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal, InvalidOperation

from environs import ValidationError

from devrag.llm.chat import Message, ToolSpec, Usage, prompt_texts

_MILLION = 1_000_000
_STEP = Decimal("0.000001")
# Templates and schemas that providers put around a prompt.
_MOST_OVERHEAD_TOKENS = 1000
_DATE = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$")
EXAMPLE = "my-model=0.5/0.05/2"


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens. cache_write: of input that the cache takes in."""

    input: Decimal
    cached_input: Decimal
    output: Decimal
    cache_write: Decimal

    @classmethod
    def of(
        cls, new: str, cached: str, output: str, cache_write: str | None = None
    ) -> Price:
        """Return a price from the figures of a list."""
        return cls(
            Decimal(new), Decimal(cached), Decimal(output), Decimal(cache_write or new)
        )


FREE = Price.of("0", "0", "0")
_OPUS = Price.of("5", "0.5", "25", "6.25")
_SONNET = Price.of("3", "0.3", "15", "3.75")
_HAIKU = Price.of("1", "0.1", "5", "1.25")
PRICES = {
    "gpt-4o": Price.of("2.5", "1.25", "10"),
    "gpt-4o-mini": Price.of("0.15", "0.075", "0.6"),
    "gpt-4.1": Price.of("2", "0.5", "8"),
    "gpt-4.1-mini": Price.of("0.4", "0.1", "1.6"),
    "gpt-4.1-nano": Price.of("0.1", "0.025", "0.4"),
    "gpt-5": Price.of("1.25", "0.125", "10"),
    "gpt-5-mini": Price.of("0.25", "0.025", "2"),
    "gpt-5-nano": Price.of("0.05", "0.005", "0.4"),
    "gpt-5.1": Price.of("1.25", "0.125", "10"),
    "gpt-5.2": Price.of("1.75", "0.175", "14"),
    "gpt-5.4": Price.of("2.5", "0.25", "15"),
    "gpt-5.4-mini": Price.of("0.75", "0.075", "4.5"),
    "gpt-5.4-nano": Price.of("0.2", "0.02", "1.25"),
    "gpt-5.5": Price.of("5", "0.5", "30"),
    "claude-haiku-4-5": _HAIKU,
    "claude-sonnet-4-5": _SONNET,
    "claude-sonnet-4-6": _SONNET,
    "claude-opus-4-5": _OPUS,
    "claude-opus-4-6": _OPUS,
    "claude-opus-4-7": _OPUS,
    "claude-opus-4-8": _OPUS,
    "claude-opus-5": _OPUS,
}


def read_prices(text: str) -> dict[str, Price]:
    """Return `model=input/cached input/output,…` as prices; ValueError if it is not."""
    prices = {}
    for row in filter(None, map(str.strip, text.split(","))):
        model, _, figures = row.rpartition("=")
        try:
            new, cached, output = figures.split("/")
            price = Price.of(new, cached, output)
        except (ValueError, InvalidOperation):
            price = None
        if not model or price is None or not _is_a_price(price):
            raise ValueError(
                f"Invalid price “{row}”. Use {EXAMPLE}: dollars per million tokens of "
                "input, cached input and output."
            )
        prices[model.strip()] = price
    return prices


def check_prices(text: str) -> None:
    """Raise environs' ValidationError unless read_prices takes the text."""
    try:
        read_prices(text)
    except ValueError as error:
        raise ValidationError(str(error)) from None


def _is_a_price(price: Price) -> bool:
    figures = (price.input, price.cached_input, price.output)
    return all(figure.is_finite() and figure >= 0 for figure in figures)


def price_of(model: str, own: Mapping[str, Price] | None = None) -> Price | None:
    """Return a model's price, None where none is known.

    own: what settings say; it wins. Dated and routed names (`openai/gpt-4.1-mini`) are
    found by their plain one.
    """
    table = {**PRICES, **(own or {})}
    plain = _DATE.sub("", model.rpartition("/")[2])
    return next((table[name] for name in (model, plain) if name in table), None)


def cost_of(usage: Usage, price: Price | None) -> Decimal:
    """Return the dollars for what calls used; 0 where no price is known."""
    known = price or FREE
    read, written = usage.cached_input_tokens, usage.cache_written_tokens
    new = max(0, usage.input_tokens - read - written)
    dollars = (
        new * known.input
        + read * known.cached_input
        + written * known.cache_write
        + usage.output_tokens * known.output
    ) / _MILLION
    return dollars.quantize(_STEP, ROUND_UP)


def most_usage(
    messages: Sequence[Message],
    max_output_tokens: int,
    tools: Sequence[ToolSpec] = (),
) -> Usage:
    """Return more than a call can use: no token is shorter than a byte."""
    sent = sum(len(text.encode()) for text in prompt_texts(messages, tools))
    most = sent + _MOST_OVERHEAD_TOKENS
    return Usage(most, max_output_tokens, cache_written_tokens=most)


def price_note(model: str) -> str:
    """Return what to tell people of a model without a price."""
    return (
        f"The price of {model} is unknown: its calls count as 0 dollars, and limits "
        f"do not apply. If it is not free, set LLM_PRICES={model}=INPUT/CACHED/OUTPUT."
    )
