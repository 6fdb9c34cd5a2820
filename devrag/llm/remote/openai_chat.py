"""OpenAI's chat, which Ollama, vLLM, LM Studio, llama.cpp and OpenRouter speak."""

from __future__ import annotations

from typing import Any

import openai

from devrag.llm.remote.chat_adapter import (
    ChatRequest,
    StreamedCompletion,
    count,
    join_turns,
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

    def body(self, request: ChatRequest, *, is_own: bool) -> dict[str, Any]:
        # The old name is refused by OpenAI's newer models, the new one ignored by
        # older servers, which would then write on and on.
        is_new = is_own or not request.has("max_tokens")
        limit = "max_completion_tokens" if is_new else "max_tokens"
        body: dict[str, Any] = {
            "model": request.model,
            "messages": [
                {"role": role, "content": "\n\n".join(each.content for each in turn)}
                for role, turn in join_turns(request.messages)
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
