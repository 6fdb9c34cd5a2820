"""The contract of everything that writes text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Schema = Mapping[str, Any]  # a JSON schema of an object


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool that a model may call. schema: of the object of its arguments."""

    name: str
    description: str
    schema: Schema


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to call a tool. arguments: JSON as it wrote it, maybe broken."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation; turns of one role that follow each other are joined.

    is_repeated: later calls begin with the same messages up to this one, so that a
    provider that sells cached input may keep them. tool_calls: of an assistant's turn;
    tool_call_id: of the call whose result a turn of the role "tool" is.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    is_repeated: bool = False
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


def prompt_texts(
    messages: Sequence[Message], tools: Sequence[ToolSpec] = ()
) -> Iterator[str]:
    """Yield all that a model reads of a conversation and its tools."""
    for message in messages:
        yield message.content
        for call in message.tool_calls:
            yield f"{call.id}{call.name}{call.arguments}"
    for tool in tools:
        yield f"{tool.name}{tool.description}{json.dumps(tool.schema)}"


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
    tool_calls: tuple[ToolCall, ...] = ()

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


class ChatStream(Protocol):
    """One answer as it comes: pieces of its text, at the end the whole completion."""

    @property
    def usage(self) -> Usage:
        """What the call used so far, also after it was closed or failed."""
        ...

    def __aiter__(self) -> ChatStream: ...

    async def __anext__(self) -> str | Completion: ...

    async def aclose(self) -> None:
        """Close the connection, so that the model stops."""
        ...


class StreamingChat(Protocol):
    """Answer a conversation piece by piece; failures are ChatErrors (llm.errors)."""

    provider: str
    model: str

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_output_tokens: int = 2048,
        temperature: float = 0.2,
        tools: Sequence[ToolSpec] = (),
    ) -> ChatStream:
        """Ask once; close the stream (contextlib.aclosing) when it is not read on.

        tools: raises ChatToolsUnsupported where the model cannot call any.
        """
        ...
