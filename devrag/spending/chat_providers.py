"""Ask a language model for one word: whether it answers, how soon, at what cost.

The question belongs to no product, so it is on no product's account.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from decimal import Decimal

from devrag.llm.chat import Message, Usage
from devrag.llm.prices import cost_of, price_of
from devrag.llm.providers import build_chat
from devrag.spending.model_settings import ModelSettings

_QUESTION = (Message("user", "Answer with the one word: ready"),)
# Enough for a word also where a model thinks before it speaks.
_MOST_TOKENS = 256
_PATIENCE_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """A model that answered. cost: in dollars, None where no price is known."""

    milliseconds: int
    model: str
    said: str
    usage: Usage
    cost: Decimal | None


def ask_model(chosen: ModelSettings) -> ChatAnswer:
    """Ask the model of these settings; ProviderError says why there is no answer."""
    chat = build_chat(
        chosen.provider,
        chosen.model,
        endpoint=chosen.endpoint,
        timeout_seconds=_PATIENCE_SECONDS,
    )
    began = time.perf_counter()
    answer = chat.complete(_QUESTION, max_output_tokens=_MOST_TOKENS)
    took = round(1000 * (time.perf_counter() - began))
    price = price_of(chosen.model, chosen.prices)
    cost = cost_of(answer.usage, price) if price else None
    return ChatAnswer(took, chosen.model, answer.text.strip()[:80], answer.usage, cost)
