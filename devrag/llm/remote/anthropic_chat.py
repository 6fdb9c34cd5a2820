"""Anthropic's messages, with its cache for what many calls begin with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import anthropic

from devrag.llm.chat import Message
from devrag.llm.remote.chat_adapter import (
    ChatRequest,
    StreamedCompletion,
    count,
    join_turns,
    read_arguments,
)

_FINISHES = {"max_tokens": "length", "model_context_window_exceeded": "length"}
_MOST_MARKS = 4  # the API takes no more


class AnthropicChatAdapter:
    """Messages. What the calls of a run share is marked, so that it is read cheaply."""

    title = "Anthropic"
    base_url = "https://api.anthropic.com"
    path = "/v1/messages"
    options: tuple[str, ...] = ("temperature", "cache_control", "output_config")
    sdk: Any = anthropic

    def make_client(self, **settings: Any) -> anthropic.Anthropic:
        return anthropic.Anthropic(**settings)

    def make_async_client(self, **settings: Any) -> anthropic.AsyncAnthropic:
        return anthropic.AsyncAnthropic(**settings)

    def body(self, request: ChatRequest, *, is_own: bool) -> dict[str, Any]:
        del is_own  # those that are like it are so in full
        marked = [each for each in request.messages if each.is_repeated]
        is_caching = request.has("cache_control")
        marks = marked[-_MOST_MARKS:] if is_caching else []
        system = [each for each in request.messages if each.role == "system"]
        others = [each for each in request.messages if each.role != "system"]
        body: dict[str, Any] = {
            "model": request.model,
            "max_tokens": request.max_output_tokens,
            "messages": [
                {
                    "role": role,
                    "content": [
                        block for each in turn for block in _blocks(each, marks)
                    ],
                }
                for role, turn in join_turns(others, _role)
            ],
            "stream": True,
        }
        if system:
            body["system"] = [
                block for each in system for block in _blocks(each, marks)
            ]
        if request.has("temperature"):
            body["temperature"] = request.temperature
        if request.schema is not None and request.has("output_config"):
            wanted = {"type": "json_schema", "schema": request.schema}
            body["output_config"] = {"format": wanted}
        if request.tools:
            body["tools"] = [
                {
                    "name": tool.name,
                    "description": tool.description,
                    "input_schema": tool.schema,
                }
                for tool in request.tools
            ]
        return body

    def take(self, event: Any, answer: StreamedCompletion) -> None:
        kind = event["type"]
        if kind == "message_start":
            self._take_usage(event["message"].get("usage") or {}, answer)
        elif kind == "content_block_start":
            self._take_block(event["content_block"], event["index"], answer)
        elif kind == "content_block_delta":
            delta = event["delta"]
            answer.add(delta.get("text"))
            if delta.get("partial_json"):
                answer.add_call(event["index"], arguments=delta["partial_json"])
        elif kind == "message_delta":
            self._take_finish(event["delta"].get("stop_reason"), answer)
            self._take_usage(event.get("usage") or {}, answer)

    def take_whole(self, data: Any, answer: StreamedCompletion) -> None:
        for place, block in enumerate(data["content"]):
            self._take_block(block, place, answer)
        self._take_finish(data["stop_reason"], answer)
        self._take_usage(data.get("usage") or {}, answer)

    def _take_block(self, block: Any, place: int, answer: StreamedCompletion) -> None:
        answer.add(block.get("text"))
        if block.get("type") == "tool_use":
            # A stream begins with an empty object, whose pieces follow.
            given = json.dumps(block["input"]) if block.get("input") else ""
            answer.add_call(
                place, call_id=block["id"], name=block["name"], arguments=given
            )

    def _take_finish(self, reason: str | None, answer: StreamedCompletion) -> None:
        if reason == "refusal":
            answer.refusal = "it stopped with a refusal"
        if reason:
            answer.finish = _FINISHES.get(reason, "stop")

    def _take_usage(self, usage: Any, answer: StreamedCompletion) -> None:
        read = count(usage, "cache_read_input_tokens", answer.cached_tokens) or 0
        written = count(usage, "cache_creation_input_tokens", answer.written_tokens)
        answer.cached_tokens, answer.written_tokens = read, written or 0
        # Its count is without what went through the cache.
        rest = count(usage, "input_tokens", None)
        if rest is not None:
            answer.input_tokens = rest + answer.cached_tokens + answer.written_tokens
        answer.output_tokens = count(usage, "output_tokens", answer.output_tokens)


def _role(message: Message) -> str:
    """Return the role of a message here, where results of tools are the user's."""
    return "user" if message.role == "tool" else message.role


def _blocks(message: Message, marks: list[Message]) -> Iterator[dict[str, Any]]:
    """Yield what a message is made of; the last block bears its mark."""
    blocks = list(_contents(message))
    if any(message is mark for mark in marks):
        blocks[-1]["cache_control"] = {"type": "ephemeral"}
    yield from blocks


def _contents(message: Message) -> Iterator[dict[str, Any]]:
    if message.role == "tool":
        yield {
            "type": "tool_result",
            "tool_use_id": message.tool_call_id,
            "content": message.content,
        }
        return
    if message.content or not message.tool_calls:  # an empty text is refused
        yield {"type": "text", "text": message.content}
    for call in message.tool_calls:
        yield {
            "type": "tool_use",
            "id": call.id,
            "name": call.name,
            "input": read_arguments(call),
        }
