"""A ChatModel and a StreamingChat behind HTTP: one call, bounded in time and in size.

It asks once (llm.retries asks again), but for options that a model refuses: those it
is asked without, and they are not sent to it any more.

Streamed although nobody may look on: a connection that was cut is told from an answer
that ended, and one without end is stopped.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from functools import lru_cache
from typing import Any, TypeVar

import httpx2

from devrag.llm.chat import Completion, Message, Schema, ToolSpec, Usage
from devrag.llm.remote.chat_adapter import ChatAdapter, ChatRequest
from devrag.llm.remote.chat_call import ChatApi, ChatCall, Overtime
from devrag.llm.remote.endpoint import Endpoint
from devrag.llm.remote.failures import check_key

T = TypeVar("T")


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
        self._api = ChatApi(provider, model, adapter, endpoint, timeout_seconds)
        # Redirects off: the key goes to the address that was set, nowhere else.
        self._client = adapter.make_client(
            **_client_settings(self._api),
            http_client=adapter.sdk.DefaultHttpxClient(follow_redirects=False),
        )

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_output_tokens: int = 2048,
        temperature: float = 0.2,
        schema: Schema | None = None,
    ) -> Completion:
        """Return the model's next message."""
        check_key(self._api.asked)
        while True:
            refused = self._api.refused
            request = ChatRequest(
                self.model, messages, max_output_tokens, temperature, schema, refused
            )
            call = ChatCall(self._api, request)
            if self._converse(call):
                return call.completion()

    def _converse(self, call: ChatCall) -> bool:
        """Read an answer; False when options were refused that it can do without."""
        try:
            with self._client.post(
                self._api.adapter.path,
                cast_to=object,
                body=call.body,
                options=self._api.options(),
                stream=True,
                stream_cls=self._api.adapter.sdk.Stream[object],
            ) as stream:
                if call.open(stream.response):
                    all(map(call.take, stream))
                    return True
                for piece in stream.response.iter_bytes():
                    call.take_bytes(piece)
                call.take_whole()
        except self._api.errors as error:
            failure = call.failure(error)
            if failure is not None:
                raise failure from None
            return False
        return True

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_output_tokens: int = 2048,
        temperature: float = 0.2,
        tools: Sequence[ToolSpec] = (),
    ) -> RemoteStream:
        """Return the model's next message as it comes."""

        def make_request() -> ChatRequest:
            return ChatRequest(
                self.model,
                messages,
                max_output_tokens,
                temperature,
                without=self._api.refused,
                tools=tools,
            )

        return RemoteStream(self._api, make_request)


class RemoteStream:
    """A ChatStream of an API; closed, it has no connection any more."""

    def __init__(self, api: ChatApi, make_request: Callable[[], ChatRequest]) -> None:
        self._api, self._make_request = api, make_request
        self._call: ChatCall | None = None
        self._pieces = self._read()

    @property
    def usage(self) -> Usage:
        """What the call used so far."""
        return self._call.usage if self._call else Usage()

    def __aiter__(self) -> RemoteStream:
        return self

    async def __anext__(self) -> str | Completion:
        return await anext(self._pieces)

    async def aclose(self) -> None:
        """Close the connection, so that the model stops."""
        await self._pieces.aclose()

    async def _read(self) -> AsyncGenerator[str | Completion, None]:
        check_key(self._api.asked)
        async with _async_client(self._api) as client:
            while True:
                self._call = call = ChatCall(self._api, self._make_request())
                try:
                    async with (
                        await self._post(client, call) as stream,
                        aclosing(_events(stream, call)) as events,
                    ):
                        while await _within(call, anext(events, False)):
                            for text in call.new_text():
                                began = time.monotonic()
                                yield text
                                # How long the reader takes is not the model's time.
                                call.deadline += time.monotonic() - began
                except self._api.errors as error:
                    failure = call.failure(error)
                    if failure is not None:
                        raise failure from None
                    continue
                yield call.completion()
                return

    async def _post(self, client: Any, call: ChatCall) -> Any:
        adapter = self._api.adapter
        asked = client.post(
            adapter.path,
            cast_to=object,
            body=call.body,
            options=self._api.options(),
            stream=True,
            stream_cls=adapter.sdk.AsyncStream[object],
        )
        return await _within(call, asked)


async def _events(stream: Any, call: ChatCall) -> AsyncGenerator[bool, None]:
    """Yield True for each part of an answer, once it is read."""
    if not call.open(stream.response):
        async for piece in stream.response.aiter_bytes():
            call.take_bytes(piece)
        call.take_whole()
        yield True
        return
    async for event in stream:
        is_open = call.take(event)
        yield True
        if not is_open:
            return


async def _within(call: ChatCall, awaitable: Awaitable[T]) -> T:
    """Await within what is left of a call's time, also where signs of life come."""
    try:
        async with asyncio.timeout(call.deadline - time.monotonic()):
            return await awaitable
    except TimeoutError:
        raise Overtime("the answer goes on and on") from None


def _client_settings(api: ChatApi) -> dict[str, Any]:
    base_url = api.endpoint.base_url or api.adapter.base_url
    return {
        "api_key": api.endpoint.key or "none",
        "base_url": base_url.rstrip("/"),
        "max_retries": 0,
    }


def _async_client(api: ChatApi) -> Any:
    """Return a client for one call: it belongs to the event loop that it is used in."""
    http_client = api.adapter.sdk.DefaultAsyncHttpxClient(
        follow_redirects=False, verify=_tls_context()
    )
    return api.adapter.make_async_client(
        **_client_settings(api), http_client=http_client
    )


@lru_cache(maxsize=1)
def _tls_context() -> ssl.SSLContext:
    """Return what clients share: reading the certificates takes 20 ms."""
    return httpx2.create_ssl_context()
