"""A ChatModel behind HTTP: one streamed call, bounded in time and in size.

It asks once (llm.patience asks again), but for options that a model refuses: those it
is asked without, and they are not sent to it any more.

Streamed although nobody looks on: a connection that was cut is told from an answer that
ended, and one without end is stopped.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from typing import Any

import httpx2  # both official clients are built on it and let its errors through
import structlog

from devrag.core.errors import ProviderError
from devrag.llm.chat import Completion, Message, Schema
from devrag.llm.errors import ChatError, ChatInternal, ChatRefused
from devrag.llm.remote.chat_adapter import ChatAdapter, ChatRequest, StreamedCompletion
from devrag.llm.remote.endpoint import Endpoint
from devrag.llm.remote.failures import (
    CHAT,
    Asked,
    BrokenStream,
    check_key,
    describe,
    of_connection,
    of_status,
    of_timeout,
    reason_of,
    redact,
)
from devrag.llm.remote.tokens import estimate_tokens

log = structlog.get_logger("devrag.chat")
# No model writes so long tokens: who goes on after that does not count.
_MOST_CHARACTERS_PER_TOKEN = 16
# An answer may take so many times the longest silence in all.
_SILENCES = 3
# What a stream may break off with, as the status that it would have had at its start.
_STATUSES = {
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "authentication_error": 401,
    "permission_error": 403,
    "invalid_request_error": 400,
    "billing_error": 402,
}
_ENVELOPE_BYTES = 64_000
_MOST_BYTES_PER_CHARACTER = 6  # \\uXXXX
_ODD = (AttributeError, KeyError, TypeError, ValueError)


class _Overtime(httpx2.ReadTimeout):
    """There is no silence, but no end either."""


class RemoteChat:
    """A model of an API. timeout_seconds: the longest silence."""

    def __init__(
        self,
        provider: str,
        model: str,
        *,
        adapter: ChatAdapter,
        endpoint: Endpoint,
        timeout_seconds: float,
    ) -> None:
        self.provider, self.model = provider, model
        self._dialect, self._endpoint = adapter, endpoint
        self._seconds = timeout_seconds
        who = describe(adapter.title, endpoint)
        self._asked = Asked(who, model, endpoint, CHAT)
        # Redirects off: the key goes to the address that was set, nowhere else.
        self._client = adapter.make_client(
            api_key=endpoint.key or "none",
            base_url=(endpoint.base_url or adapter.base_url).rstrip("/"),
            max_retries=0,
            http_client=adapter.sdk.DefaultHttpxClient(follow_redirects=False),
        )
        self._refused: frozenset[str] = frozenset()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_output_tokens: int = 2048,
        temperature: float = 0.2,
        schema: Schema | None = None,
    ) -> Completion:
        """Return the model's next message."""
        check_key(self._asked)
        while True:
            refused = self._refused
            request = ChatRequest(
                self.model, messages, max_output_tokens, temperature, schema, refused
            )
            completion = self._ask(request)
            if completion is not None:
                return completion

    def _ask(self, request: ChatRequest) -> Completion | None:
        """Return the answer, None when options were refused that it can do without."""
        answer = StreamedCompletion()
        try:
            self._converse(request, answer)
        except (self._dialect.sdk.APIError, httpx2.HTTPError, *_ODD) as error:
            if not answer.is_open and self._goes_without(error, request):
                return None
            is_charged = answer.is_open or self._is_timeout(error)
            failure = self._failure(error, answer)
            raise self._with_usage(failure, request, answer, is_charged) from None
        found = self._fault(request, answer)
        if found is not None:
            raise self._with_usage(found, request, answer)
        return answer.completion(request)

    def _converse(self, request: ChatRequest, answer: StreamedCompletion) -> None:
        is_own = not self._endpoint.base_url
        omit = self._dialect.sdk.Omit()
        with self._client.post(
            self._dialect.path,
            cast_to=object,
            body=self._dialect.body(request, is_own=is_own),
            options={
                "timeout": self._seconds,
                "headers": {} if self._endpoint.key else {"Authorization": omit},
            },
            stream=True,
            stream_cls=self._dialect.sdk.Stream[object],
        ) as stream:
            answer.is_open = True
            most = request.max_output_tokens * _MOST_CHARACTERS_PER_TOKEN
            if "json" in stream.response.headers.get("content-type", ""):
                self._dialect.take_whole(_read_whole(stream.response, most), answer)
                return
            deadline = time.monotonic() + _SILENCES * self._seconds
            for event in stream:
                self._dialect.take(event, answer)
                if answer.size > most or answer.goes_round():
                    answer.finish = "length"
                    return
                if time.monotonic() > deadline:
                    raise _Overtime("the answer goes on and on")

    def _goes_without(self, error: Any, request: ChatRequest) -> bool:
        """Note the options that a refusal is about; False when it is about none."""
        # Some servers take a value they do not know for a failure of their own.
        if getattr(error, "status_code", 0) not in (400, 422, 500):
            return False
        words = f"{getattr(error, 'param', '')} {reason_of(error)}"
        found = {
            option
            for option in self._dialect.options
            if request.has(option) and re.search(rf"\b{option}\b", words)
        }
        if found:
            log.warning(
                "the model refuses options; it is asked without them",
                provider=self.provider,
                model=self.model,
                options=sorted(found),
            )
            self._refused |= found
        return bool(found)

    def _is_timeout(self, error: Exception) -> bool:
        timeouts = (self._dialect.sdk.APITimeoutError, httpx2.TimeoutException)
        return isinstance(error, timeouts)

    def _failure(self, error: Any, answer: StreamedCompletion) -> ProviderError:
        sdk = self._dialect.sdk
        if isinstance(error, _ODD):
            return self._odd()
        if self._is_timeout(error):
            is_slow = isinstance(error, _Overtime)
            return of_timeout(
                self._asked, self._seconds * (_SILENCES if is_slow else 1)
            )
        if isinstance(error, sdk.APIConnectionError | httpx2.HTTPError):
            is_cut = answer.is_open
            return self._cut(answer) if is_cut else of_connection(self._asked, error)
        if not answer.is_open:
            return of_status(self._asked, error)
        kinds = (getattr(error, "code", ""), getattr(error, "type", ""))
        status = next((_STATUSES[kind] for kind in kinds if kind in _STATUSES), 500)
        return of_status(self._asked, BrokenStream(status, error.body))

    def _fault(
        self, request: ChatRequest, answer: StreamedCompletion
    ) -> ChatError | None:
        """Return what is wrong with an answer that came to its end, if anything."""
        who, model = self._asked.who, self.model
        if answer.refusal:
            said = redact(answer.refusal, self._endpoint.key)
            return ChatRefused(
                f"“{model}” of {who} will not answer ({said}). Look at the text that "
                "it was given, or set LLM_MODEL to another."
            )
        if not answer.finish:
            return self._cut(answer) if answer.is_begun else self._wordless(request)
        if answer.text.strip():
            return None
        if answer.finish == "length":
            return ChatInternal(
                f"“{model}” of {who} used all {request.max_output_tokens} tokens "
                "before it wrote a word. Set LLM_MODEL to one that thinks less.",
                permanent=True,
            )
        return ChatInternal(f"“{model}” of {who} answered with nothing. Ask it again.")

    def _cut(self, answer: StreamedCompletion) -> ChatError:
        return ChatInternal(
            f"The connection to {self._asked.who} was cut after {answer.size} "
            f"characters of “{self.model}”. It may hold the next time."
        )

    def _wordless(self, request: ChatRequest) -> ChatError:
        """Return what an end without an answer means: llama.cpp's prompt too long."""
        size = sum(estimate_tokens(message.content) for message in request.messages)
        return ChatInternal(
            f"{self._asked.who} ended its answer before the first word. The prompt has "
            f"about {size:,} tokens: give “{self.model}” a larger window there. Or it "
            f"is no chat API: check {self._endpoint.url_setting}."
        )

    def _odd(self) -> ChatError:
        log.warning("odd answer", provider=self.provider, model=self.model)
        return ChatInternal(
            f"{self._asked.who} returned something that is no answer of a model. Check "
            f"that it is a chat API: {self._endpoint.url_setting}."
        )

    def _with_usage(
        self,
        failure: ProviderError,
        request: ChatRequest,
        answer: StreamedCompletion,
        is_charged: bool = True,
    ) -> ProviderError:
        if is_charged and isinstance(failure, ChatError):
            failure.usage = answer.usage(request)
        return failure


def _read_whole(response: httpx2.Response, most: int) -> Any:
    """Return the JSON of a server that does not stream; ValueError if it is too big."""
    data = bytearray()
    for piece in response.iter_bytes():
        data += piece
        if len(data) > _ENVELOPE_BYTES + most * _MOST_BYTES_PER_CHARACTER:
            raise ValueError("too big")
    return json.loads(data)
