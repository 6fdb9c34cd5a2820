"""The contract of everything that writes text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Schema = Mapping[str, Any]  # a JSON schema of an object


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation; turns of one role that follow each other are joined.

    is_repeated: later calls begin with the same messages up to this one, so that a
    provider that sells cached input may keep them.
    """

    role: Literal["system", "user", "assistant"]
    content: str
    is_repeated: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls used, as the provider counted it, else as estimated.

    input_tokens: all, those read from and written to the provider's cache included.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    cache_written_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer and what it used.

    finish_reason: "stop" when the model ended by itself, "length" when it was cut.
    """

    text: str
    input_tokens: int
    output_tokens: int
    finish_reason: str
    cached_input_tokens: int = 0
    cache_written_tokens: int = 0

    @property
    def usage(self) -> Usage:
        """What it used, without the text."""
        return Usage(
            self.input_tokens,
            self.output_tokens,
            self.cached_input_tokens,
            self.cache_written_tokens,
        )


class ChatModel(Protocol):
    """Answer a conversation; failures are ChatErrors (llm.errors)."""

    provider: str
    model: str

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_output_tokens: int = 2048,
        temperature: float = 0.2,
        schema: Schema | None = None,
    ) -> Completion:
        """Return the model's next message.

        schema: asked for where the API can; the answer may still be any text.
        """
        ...
