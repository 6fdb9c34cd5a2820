"""OpenAI's chat, which Ollama, vLLM, LM Studio, llama.cpp and OpenRouter speak."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

import openai

from devrag.llm.chat import Message, ToolSpec
from devrag.llm.remote.chat_adapter import (
    ChatRequest,
    StreamedCompletion,
    count,
    join_turns,
    read_arguments,
)

_FINISHES = {"length": "length", "max_tokens": "length"}


class OpenAIChatAdapter:
    """Chat completions. The provider caches the beginnings of prompts by itself."""

    title = "OpenAI"
    base_url = "https://api.openai.com/v1"
    path = "/chat/completions"
    options: tuple[str, ...] = (
        "temperature",
        "max_tokens",
        "stream_options",
        "response_format",
    )
    sdk: Any = openai

    def make_client(self, **settings: Any) -> openai.OpenAI:
        return openai.OpenAI(**settings)

    def make_async_client(self, **settings: Any) -> openai.AsyncOpenAI:
        return openai.AsyncOpenAI(**settings)

    def body(self, request: ChatRequest, *, is_own: bool) -> dict[str, Any]:
        # The old name is refused by OpenAI's newer models, the new one ignored by
        # older servers, which would then write on and on.
        is_new = is_own or not request.has("max_tokens")
        limit = "max_completion_tokens" if is_new else "max_tokens"
        body: dict[str, Any] = {
            "model": request.model,
            "messages": [
                message
                for role, turn in join_turns(request.messages, attrgetter("role"))
                for message in _turn(role, turn)
            ],
            limit: request.max_output_tokens,
            "stream": True,
        }
        if request.has("temperature"):
            body["temperature"] = request.temperature
        if request.has("stream_options"):
            body["stream_options"] = {"include_usage": True}
        if request.schema is not None and request.has("response_format"):
            named = {"name": "answer", "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        if request.tools:
            body["tools"] = [_tool(tool) for tool in request.tools]
        return body

    def take(self, event: Any, answer: StreamedCompletion) -> None:
        for choice in event.get("choices") or ():
            self._take_choice(choice, choice.get("delta") or {}, answer)
        self._take_usage(event.get("usage") or {}, answer)

    def take_whole(self, data: Any, answer: StreamedCompletion) -> None:
        for choice in data["choices"]:
            self._take_choice(choice, choice["message"], answer)
        self._take_usage(data.get("usage") or {}, answer)

    def _take_choice(self, choice: Any, said: Any, answer: StreamedCompletion) -> None:
        answer.add(said.get("content"))
        answer.refusal += said.get("refusal") or ""
        for place, call in enumerate(said.get("tool_calls") or ()):
            _take_call(call, place, answer)
        finish = choice.get("finish_reason")
        if finish == "content_filter":
            answer.refusal = answer.refusal or "its filter stopped the answer"
        if finish:
            answer.finish = _FINISHES.get(finish, "stop")

    def _take_usage(self, usage: Any, answer: StreamedCompletion) -> None:
        answer.input_tokens = count(usage, "prompt_tokens", answer.input_tokens)
        answer.output_tokens = count(usage, "completion_tokens", answer.output_tokens)
        details = usage.get("prompt_tokens_details") or {}
        answer.cached_tokens = count(details, "cached_tokens", 0) or (
            answer.cached_tokens
        )


def _turn(role: str, turn: Sequence[Message]) -> Iterator[dict[str, Any]]:
    """Yield the messages of a turn: one, but for results and turns that call tools."""
    if role == "tool":
        for each in turn:
            yield {
                "role": role,
                "tool_call_id": each.tool_call_id,
                "content": each.content,
            }
        return
    text = "\n\n".join(each.content for each in turn if each.content)
    message: dict[str, Any] = {"role": role, "content": text}
    calls = [call for each in turn for call in each.tool_calls]
    if calls:
        message["content"] = text or None
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": json.dumps(read_arguments(call), ensure_ascii=False),
                },
            }
            for call in calls
        ]
    yield message


def _tool(tool: ToolSpec) -> dict[str, Any]:
    described = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.schema,
    }
    return {"type": "function", "function": described}


def _take_call(call: Any, place: int, answer: StreamedCompletion) -> None:
    function = call.get("function") or {}
    arguments = function.get("arguments") or ""
    index = call.get("index")
    answer.add_call(
        place if index is None else index,
        call_id=call.get("id") or "",
        name=function.get("name") or "",
        arguments=arguments if isinstance(arguments, str) else json.dumps(arguments),
    )
