"""What is said to each kind of chat API, and what its answers are read into."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Protocol

from devrag.llm.chat import (
    Completion,
    Message,
    Schema,
    ToolCall,
    ToolSpec,
    Usage,
    prompt_texts,
)
from devrag.llm.remote.tokens import estimate_tokens

_LOOK_EVERY = 200  # characters
# So many characters at the end are looked at; a circle is that long and goes round so
# often at least. Its passage has a word: rules of tables and fences may go on and on.
_SEEN = 2_400
_LONG, _OFTEN = 320, 4
_NEEDLE = 32


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One call. without: options that this model refused before."""

    model: str
    messages: Sequence[Message]
    max_output_tokens: int
    temperature: float
    schema: Schema | None = None
    without: frozenset[str] = frozenset()
    tools: Sequence[ToolSpec] = ()

    def has(self, option: str) -> bool:
        """Return whether an option may be sent."""
        return option not in self.without


@dataclass(slots=True)
class StreamedCall:
    """A tool call as far as it came. key: by which the API continues it."""

    key: object
    id: str
    name: str
    parts: list[str] = field(default_factory=list)

    @property
    def arguments(self) -> str:
        return "".join(self.parts)


@dataclass(slots=True)
class StreamedCompletion:
    """What came so far. finish: empty until the model said why it ended.

    is_open: the API took the request. Counts are None where it told none. looked_at:
    the size at which it was last looked at for circles.
    """

    is_open: bool = False
    parts: list[str] = field(default_factory=list)
    size: int = 0
    finish: str = ""
    refusal: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int = 0
    written_tokens: int = 0
    looked_at: int = 0
    calls: list[StreamedCall] = field(default_factory=list)

    def add(self, text: str | None) -> None:
        """Take the next piece of text."""
        if text:
            self.parts.append(text)
            self.size += len(text)

    def add_call(
        self, key: object, *, call_id: str = "", name: str = "", arguments: str = ""
    ) -> None:
        """Take the next piece of a tool call.

        Some servers give all calls of a turn one key: another id is another call.
        """
        call = next((each for each in self.calls if each.key == key), None)
        if call is None or (call_id and call_id != call.id):
            call_id = call_id or f"call_{len(self.calls) + 1}"
            self.calls.insert(0, call := StreamedCall(key, call_id, ""))
        call.name = call.name or name
        call.parts.append(arguments)
        self.size += len(name) + len(arguments)

    def goes_round(self) -> bool:
        """Return whether the text has begun to repeat itself; looks now and then."""
        if self.size < self.looked_at + _LOOK_EVERY:
            return False
        self.looked_at = self.size
        return any(map(goes_round, (self.text, *(c.arguments for c in self.calls))))

    @property
    def is_begun(self) -> bool:
        """Whether anything came that looks like an answer."""
        return bool(self.parts or self.calls) or self.input_tokens is not None

    @property
    def text(self) -> str:
        return "".join(self.parts)

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls in the order in which they came."""
        return tuple(ToolCall(c.id, c.name, c.arguments) for c in self.calls[::-1])

    def usage(self, request: ChatRequest) -> Usage:
        """Return the API's counts; what it did not tell is estimated."""
        inputs, outputs = self.input_tokens, self.output_tokens
        if inputs is None:
            texts = prompt_texts(request.messages, request.tools)
            inputs = sum(map(estimate_tokens, texts))
        if outputs is None:
            written = (f"{call.name}{call.arguments}" for call in self.calls)
            outputs = estimate_tokens("".join((self.text, *written)))
        return Usage(inputs, outputs, self.cached_tokens, self.written_tokens)

    def completion(self, request: ChatRequest) -> Completion:
        """Return the whole answer."""
        usage = self.usage(request)
        return Completion(
            self.text,
            usage.input_tokens,
            usage.output_tokens,
            self.finish,
            usage.cached_input_tokens,
            usage.cache_written_tokens,
            self.tool_calls,
        )


class ChatAdapter(Protocol):
    """One kind of API with its official client.

    sdk: the client's module. One generator makes them all, so that their errors and
    streams have the same names. options: what a model may refuse and then goes without.
    take, take_whole: raise KeyError, TypeError, ValueError or AttributeError on
    anything odd.
    """

    title: str
    base_url: str
    path: str
    options: tuple[str, ...]
    sdk: Any

    def make_client(self, **settings: Any) -> Any:
        """Return the official client."""
        ...

    def make_async_client(self, **settings: Any) -> Any:
        """Return the official client that awaits."""
        ...

    def body(self, request: ChatRequest, *, is_own: bool) -> dict[str, Any]:
        """Return what is posted. is_own: to the provider, not to one like it."""
        ...

    def take(self, event: Any, answer: StreamedCompletion) -> None:
        """Read one event of a stream."""
        ...

    def take_whole(self, data: Any, answer: StreamedCompletion) -> None:
        """Read the answer of a server that does not stream."""
        ...


def join_turns(
    messages: Sequence[Message], role_of: Callable[[Message], str]
) -> list[tuple[str, list[Message]]]:
    """Return the turns of a conversation; some models want their roles in turn."""
    return [(role, list(turn)) for role, turn in groupby(messages, key=role_of)]


def read_arguments(call: ToolCall) -> dict[str, Any]:
    """Return the arguments of a call, none where they are no JSON object.

    Servers that put a call into their prompt anew fail on anything else.
    """
    try:
        found = json.loads(call.arguments)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def count(found: Mapping[str, Any], name: str, default: int | None) -> int | None:
    """Return a count of tokens, the default where there is none."""
    value = found.get(name)
    return default if value is None else int(value)


def goes_round(text: str) -> bool:
    """Return whether the text ends with one passage repeated many times.

    Small models do so up to the limit of tokens; each costs time and money.
    """
    tail = text[-_SEEN:]
    place = tail.rfind(tail[-_NEEDLE:], 0, -1)
    if len(tail) < _LONG or place < 0:
        return False
    period = len(tail) - _NEEDLE - place
    passage = tail[-period:]
    times = max(_OFTEN, math.ceil(_LONG / period))
    is_worded = any(character.isalpha() for character in passage)
    return is_worded and tail.endswith(passage * times)
