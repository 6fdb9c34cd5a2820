"""The contract of everything that writes text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer and what it used.

    finish_reason: "stop" when the model ended by itself, "length" when it was cut.
    """

    text: str
    input_tokens: int
    output_tokens: int
    finish_reason: str


class ChatModel(Protocol):
    """Answer a conversation; failures are ProviderErrors."""

    provider: str
    model: str

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_output_tokens: int = 2048,
        temperature: float = 0.2,
    ) -> Completion:
        """Return the model's next message."""
        ...
