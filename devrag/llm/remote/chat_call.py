"""One call of a chat API: its bounds in time and size, and what its end means.

It knows nothing of connections: who holds one, waiting or not, hands on what comes.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field
from typing import Any

import httpx2  # both official clients are built on it and let its errors through
import structlog

from devrag.core.errors import ProviderError
from devrag.core.texts import gettext
from devrag.llm.chat import Completion, Usage
from devrag.llm.errors import (
    ChatError,
    ChatInternal,
    ChatRefused,
    ChatToolsUnsupported,
)
from devrag.llm.remote.chat_adapter import ChatAdapter, ChatRequest, StreamedCompletion
from devrag.llm.remote.endpoint import Endpoint
from devrag.llm.remote.failures import (
    CHAT,
    Asked,
    BrokenStream,
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
# With these a request is refused for an option; some servers take a value that they do
# not know for a failure of their own.
_OPTION_STATUSES = (400, 422, 500)
_TOOL_STATUSES = (*_OPTION_STATUSES, 404, 501)
_ENVELOPE_BYTES = 64_000
_MOST_BYTES_PER_CHARACTER = 6  # \\uXXXX
ODD = (AttributeError, KeyError, TypeError, ValueError)


class Overtime(httpx2.ReadTimeout):
    """There is no silence, but no end either."""


@dataclass(slots=True)
class ChatApi:
    """An API and one of its models. seconds: the longest silence.

    refused: options that the model does not take.
    """

    provider: str
    model: str
    adapter: ChatAdapter
    endpoint: Endpoint
    seconds: float
    refused: frozenset[str] = frozenset()
    asked: Asked = field(init=False)

    def __post_init__(self) -> None:
        who = describe(self.adapter.title, self.endpoint)
        self.asked = Asked(who, self.model, self.endpoint, CHAT)

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What a call may fail with."""
        return (self.adapter.sdk.APIError, httpx2.HTTPError, *ODD)

    def options(self) -> dict[str, Any]:
        """Return how the official client is to send a request."""
        omit = self.adapter.sdk.Omit()
        headers = {} if self.endpoint.key else {"Authorization": omit}
        return {"timeout": self.seconds, "headers": headers}


class ChatCall:
    """One request and what has come of it."""

    def __init__(self, api: ChatApi, request: ChatRequest) -> None:
        self._api, self._request = api, request
        self._answer = StreamedCompletion()
        self._most = request.max_output_tokens * _MOST_CHARACTERS_PER_TOKEN
        self._whole = bytearray()
        self._is_charged, self._shown = True, 0
        self.deadline = time.monotonic() + _SILENCES * api.seconds

    @property
    def usage(self) -> Usage:
        """What it used so far; nothing for a request that was refused."""
        return self._answer.usage(self._request) if self._is_charged else Usage()

    @property
    def body(self) -> dict[str, Any]:
        """What is posted."""
        is_own = not self._api.endpoint.base_url
        return self._api.adapter.body(self._request, is_own=is_own)

    def open(self, response: httpx2.Response) -> bool:
        """Note that the API took the request; return whether it answers in a stream."""
        self._answer.is_open = True
        self.deadline = time.monotonic() + _SILENCES * self._api.seconds
        return "json" not in response.headers.get("content-type", "")

    def take(self, event: Any) -> bool:
        """Read an event of a stream; return whether another may be read."""
        answer = self._answer
        self._api.adapter.take(event, answer)
        if answer.size > self._most or answer.goes_round():
            answer.finish = "length"
            return False
        if time.monotonic() > self.deadline:
            raise Overtime("the answer goes on and on")
        return True

    def take_bytes(self, piece: bytes) -> None:
        """Read a piece of an answer that is not streamed; ValueError if too big."""
        self._whole += piece
        most = _ENVELOPE_BYTES + self._most * _MOST_BYTES_PER_CHARACTER
        if len(self._whole) > most:
            raise ValueError("too big")

    def take_whole(self) -> None:
        """Read the answer that is not streamed."""
        self._api.adapter.take_whole(json.loads(self._whole), self._answer)

    def new_text(self) -> list[str]:
        """Return the pieces of text that came since the last time."""
        new = self._answer.parts[self._shown :]
        self._shown += len(new)
        return new

    def completion(self) -> Completion:
        """Return the answer that came to its end; raises what is wrong with it."""
        if (fault := self._fault()) is not None:
            fault.usage = self.usage
            raise fault
        return self._answer.completion(self._request)

    def failure(self, error: Any) -> ProviderError | None:
        """Return what to raise for an error, None to ask again without options."""
        is_open = self._answer.is_open
        if not is_open and self._goes_without(error):
            return None
        self._is_charged = is_open or self._is_timeout(error)
        failure = self._describe(error)
        if isinstance(failure, ChatError):
            failure.usage = self.usage
        return failure

    def _goes_without(self, error: Any) -> bool:
        """Note the options that a refusal is about; False when it is about none."""
        if getattr(error, "status_code", 0) not in _OPTION_STATUSES:
            return False
        words = f"{getattr(error, 'param', '')} {reason_of(error)}"
        found = {
            option
            for option in self._api.adapter.options
            if self._request.has(option) and re.search(rf"\b{option}\b", words)
        }
        if found:
            log.warning(
                "the model refuses options; it is asked without them",
                provider=self._api.provider,
                model=self._api.model,
                options=sorted(found),
            )
            self._api.refused |= found
        return bool(found)

    def _is_timeout(self, error: Exception) -> bool:
        sdk = self._api.adapter.sdk
        return isinstance(error, sdk.APITimeoutError | httpx2.TimeoutException)

    def _describe(self, error: Any) -> ProviderError:
        api, sdk = self._api, self._api.adapter.sdk
        if isinstance(error, ODD):
            return self._odd()
        if self._is_timeout(error):
            is_slow = isinstance(error, Overtime)
            return of_timeout(api.asked, api.seconds * (_SILENCES if is_slow else 1))
        if isinstance(error, sdk.APIConnectionError | httpx2.HTTPError):
            is_cut = self._answer.is_open
            return self._cut() if is_cut else of_connection(api.asked, error)
        if not self._answer.is_open:
            return self._of_tools(error) or of_status(api.asked, error)
        kinds = (getattr(error, "code", ""), getattr(error, "type", ""))
        status = next((_STATUSES[kind] for kind in kinds if kind in _STATUSES), 500)
        return of_status(api.asked, BrokenStream(status, error.body))

    def _of_tools(self, error: Any) -> ChatError | None:
        """Return what to say of a refusal that is about tools."""
        reason = reason_of(error)
        is_meant = self._request.tools and error.status_code in _TOOL_STATUSES
        if not (is_meant and re.search(r"\btools?\b|\btool_", reason, re.I)):
            return None
        said = redact(reason, self._api.endpoint.key)
        return ChatToolsUnsupported(
            gettext(
                "“%(model)s” of %(who)s does not support tool calls (%(reason)s). Set "
                "ASK_MODEL to a model that does, or enable them on its server."
            )
            % {**self._names, "reason": said}
        )

    def _fault(self) -> ChatError | None:
        """Return what is wrong with an answer that came to its end, if anything."""
        answer = self._answer
        if answer.refusal:
            said = redact(answer.refusal, self._api.endpoint.key)
            return ChatRefused(
                gettext(
                    "“%(model)s” of %(who)s refused to answer (%(reason)s). Check the "
                    "text it was given, or set LLM_MODEL to another model."
                )
                % {**self._names, "reason": said}
            )
        if not answer.finish:
            return self._cut() if answer.is_begun else self._wordless()
        if answer.text.strip() or answer.calls:
            return None
        if answer.finish == "length":
            most = self._request.max_output_tokens
            return ChatInternal(
                gettext(
                    "“%(model)s” of %(who)s used all %(most)s tokens before its first "
                    "word. Set LLM_MODEL to a model with less reasoning."
                )
                % {**self._names, "most": most},
                permanent=True,
            )
        text = gettext("“%(model)s” of %(who)s returned an empty answer. Try again.")
        return ChatInternal(text % self._names)

    @property
    def _names(self) -> dict[str, str]:
        return {"who": self._api.asked.who, "model": self._api.model}

    def _cut(self) -> ChatError:
        return ChatInternal(
            gettext(
                "The connection to %(who)s was lost after %(size)s characters of "
                "“%(model)s”. Try again."
            )
            % {**self._names, "size": self._answer.size}
        )

    def _wordless(self) -> ChatError:
        """Return what an end without an answer means: llama.cpp's prompt too long."""
        size = sum(estimate_tokens(each.content) for each in self._request.messages)
        return ChatInternal(
            gettext(
                "%(who)s ended its answer before the first word. The prompt has about "
                "%(size)s tokens: use a larger context window for “%(model)s”. If it "
                "is not a chat API, check %(setting)s."
            )
            % {
                **self._names,
                "size": f"{size:,}",
                "setting": self._api.endpoint.url_name,
            }
        )

    def _odd(self) -> ChatError:
        log.warning("odd answer", provider=self._api.provider, model=self._api.model)
        return ChatInternal(
            gettext(
                "%(who)s returned an invalid response. Check that it is a chat API: "
                "%(setting)s."
            )
            % {**self._names, "setting": self._api.endpoint.url_name}
        )
