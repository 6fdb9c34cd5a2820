"""A chat API on loopback that speaks OpenAI's and Anthropic's protocols.

`server.script` holds the next answers, `server.write` makes the later ones: texts, or
`Reply`s with what may go wrong with one, or `Scripted`s for other statuses.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, Literal

from tests.scripted_server import (
    KEY,
    Handler,
    Request,
    Scripted,
    ScriptedServer,
    serving,
)

PIECE = 7  # characters in an event of a stream


class Asked(Request):
    """A request to a language model."""

    @property
    def is_anthropic(self) -> bool:
        return self.path.endswith("/messages")

    @property
    def messages(self) -> list[tuple[str, str]]:
        """Role and text of each turn, the system's first, in either protocol."""
        system = self.body.get("system")
        turns = [{"role": "system", "content": system}] if system else []
        turns += self.body["messages"]
        return [(turn["role"], _text(turn["content"])) for turn in turns]

    @property
    def prompt(self) -> str:
        return "\n\n".join(text for _, text in self.messages)


@dataclass(frozen=True)
class Call:
    """A tool that a model calls. arguments: a JSON object, or text that is none."""

    name: str
    arguments: dict[str, Any] | str
    id: str = "call_a"

    @property
    def text(self) -> str:
        is_text = isinstance(self.arguments, str)
        return str(self.arguments) if is_text else json.dumps(self.arguments)


@dataclass(frozen=True)
class Reply:
    """A model's answer. cached, written: tokens of the input from and to its cache.

    fault: "cut" breaks the connection in the middle, "end" ends it there as if that
    was all, "none" before the first word, "stall" says nothing more, "drip" comes a
    bit at a time, "error" tells of an overload, "pings" sends signs of life alone.
    is_counted: tells what was used. is_plain: in one piece, though a stream was asked
    for. calls: of tools.
    """

    text: str = ""
    finish: Literal["stop", "length", "refusal"] = "stop"
    input_tokens: int = 100
    output_tokens: int = 20
    cached: int = 0
    written: int = 0
    fault: Literal["", "cut", "end", "none", "stall", "drip", "error", "pings"] = ""
    is_counted: bool = True
    is_plain: bool = False
    calls: tuple[Call, ...] = ()
    is_anthropic: bool = False

    def send(self, handler: Handler) -> None:
        if self.is_plain:
            Scripted(200, self._whole()).send(handler)
            return
        events = self._events()
        size = sum(len(event) for event in events)
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        if self.fault == "cut":
            handler.send_header("Content-Length", str(size + 100))
        handler.end_headers()
        is_let_go = handler.server.is_let_go
        for event in events:
            handler.wfile.write(event)
            if self.fault == "drip" and is_let_go.wait(0.05):
                return
        while self.fault == "pings" and not is_let_go.wait(0.05):
            handler.wfile.write(_ping(is_anthropic=self.is_anthropic))
        if self.fault == "stall":
            is_let_go.wait(30)

    def _events(self) -> list[bytes]:
        protocol = _anthropic_events if self.is_anthropic else _openai_events
        events = list(protocol(self))
        if self.fault not in ("", "drip"):
            events = events[: len(events) // 2 if self.fault != "none" else 0]
        if self.fault == "error":
            events.append(_overloaded(is_anthropic=self.is_anthropic))
        return [event.encode() for event in events]

    def _whole(self) -> dict[str, Any]:
        if self.is_anthropic:
            uses = [_tool_use(call, call.arguments) for call in self.calls]
            return {
                "content": [{"type": "text", "text": self.text}, *uses],
                "stop_reason": _STOPS[self.finish],
                "usage": _anthropic_usage(self),
            }
        message: dict[str, Any] = {"role": "assistant", "content": self.text}
        if self.calls:
            message["tool_calls"] = [_openai_call(call) for call in self.calls]
        choice = {"index": 0, "message": message, "finish_reason": self.finish}
        return {"choices": [choice], "usage": _openai_usage(self)}


class ChatServer(ScriptedServer):
    """A model that writes what the test wants. write: from a request to its answer."""

    def __init__(self, port: int = 0) -> None:
        super().__init__(port)
        self.write: Callable[[Asked], Any] = lambda asked: "Tea is served."

    def read(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> Asked:
        return Asked(path, headers, body)

    def answer(self, seen: Asked) -> Any:
        return self.write(seen)

    def finish(self, seen: Asked, answer: Any) -> Any:
        reply = Reply(answer) if isinstance(answer, str) else answer
        if isinstance(reply, Reply):
            return replace(reply, is_anthropic=seen.is_anthropic)
        return reply


def chat_server(port: int = 0) -> AbstractContextManager[ChatServer]:
    """Serve a language model until the block ends, at any free port by default."""
    return serving(ChatServer(port))


def use_server(server: ChatServer, settings: Any, provider: str = "openai") -> None:
    """Let settings name the server's model, which costs what gpt-4.1 does."""
    address = server.url if provider == "openai" else server.url.removesuffix("/v1")
    settings.LLM_PROVIDER, settings.LLM_BASE_URL = provider, address
    settings.LLM_API_KEY, settings.LLM_MODEL = KEY, "gpt-4.1"
    settings.LLM_TIMEOUT = 5.0


_STOPS = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n\n".join(
        block.get("text", block.get("content", "")) for block in content or ()
    )


def _pieces(text: str) -> list[str]:
    size = max(PIECE, len(text) // 1000)
    return [text[at : at + size] for at in range(0, len(text), size)]


def _openai_events(reply: Reply) -> Iterator[str]:
    is_refusal = reply.finish == "refusal"
    for piece in _pieces(reply.text):
        delta = {"refusal" if is_refusal else "content": piece}
        yield _data({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    for index, call in enumerate(reply.calls):
        yield _openai_delta({"index": index, **_openai_call(call, "")})
        for piece in _pieces(call.text):
            yield _openai_delta({"index": index, "function": {"arguments": piece}})
    ended = "tool_calls" if reply.calls else reply.finish
    finish = "stop" if is_refusal else ended
    yield _data({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    if reply.is_counted:
        yield _data({"choices": [], "usage": _openai_usage(reply)})
    yield "data: [DONE]\n\n"


def _openai_delta(call: dict[str, Any]) -> str:
    choice = {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}
    return _data({"choices": [choice]})


def _openai_call(call: Call, arguments: str | None = None) -> dict[str, Any]:
    given = call.text if arguments is None else arguments
    function = {"name": call.name, "arguments": given}
    return {"id": call.id, "type": "function", "function": function}


def _tool_use(call: Call, given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": given}


def _openai_usage(reply: Reply) -> dict[str, Any]:
    return {
        "prompt_tokens": reply.input_tokens,
        "completion_tokens": reply.output_tokens,
        "prompt_tokens_details": {"cached_tokens": reply.cached},
    }


def _anthropic_events(reply: Reply) -> Iterator[str]:
    usage = _anthropic_usage(reply) if reply.is_counted else {}
    start = {key: value for key, value in usage.items() if key != "output_tokens"}
    yield _event("message_start", message={"role": "assistant", "usage": start})
    for piece in _pieces(reply.text):
        delta = {"type": "text_delta", "text": piece}
        yield _event("content_block_delta", index=0, delta=delta)
    for index, call in enumerate(reply.calls, 1):
        block = _tool_use(call, {})
        yield _event("content_block_start", index=index, content_block=block)
        for piece in _pieces(call.text):
            delta = {"type": "input_json_delta", "partial_json": piece}
            yield _event("content_block_delta", index=index, delta=delta)
    stop = {"stop_reason": "tool_use" if reply.calls else _STOPS[reply.finish]}
    used = {"output_tokens": reply.output_tokens} if reply.is_counted else {}
    yield _event("message_delta", delta=stop, usage=used)
    yield _event("message_stop")


def _anthropic_usage(reply: Reply) -> dict[str, Any]:
    return {
        "input_tokens": reply.input_tokens - reply.cached - reply.written,
        "cache_read_input_tokens": reply.cached,
        "cache_creation_input_tokens": reply.written,
        "output_tokens": reply.output_tokens,
    }


def _ping(*, is_anthropic: bool) -> bytes:
    return (_event("ping") if is_anthropic else ": PROCESSING\n\n").encode()


def _overloaded(*, is_anthropic: bool) -> str:
    error = {"type": "overloaded_error", "message": "Overloaded"}
    return _event("error", error=error) if is_anthropic else _data({"error": error})


def _event(kind: str, **fields: Any) -> str:
    return f"event: {kind}\n{_data({'type': kind, **fields})}"


def _data(value: Any) -> str:
    return f"data: {json.dumps(value)}\n\n"
