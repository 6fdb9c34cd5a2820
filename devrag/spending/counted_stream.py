"""Streamed calls on a product's account: reserved before, settled at any end."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from uuid import UUID

from devrag.core.masking import mask_secrets
from devrag.core.threads import DatabaseThreads
from devrag.llm.chat import (
    ChatStream,
    Completion,
    Message,
    StreamingChat,
    ToolSpec,
    Usage,
)
from devrag.llm.errors import ChatError
from devrag.llm.prices import Price, cost_of, most_usage
from devrag.spending.budget import reserve_call, settle_call
from devrag.spending.models import ModelCall

# Apart from those that search, so that a call is settled while all of these work.
_threads = DatabaseThreads("spending", 2)


@dataclass(frozen=True, slots=True)
class ModelAccount:
    """On whose behalf a model is asked, and what for."""

    product_id: int
    run: UUID
    purpose: str

    def new_call(self, provider: str, model: str) -> ModelCall:
        """Return a call that is not stored yet."""
        return ModelCall(
            product_id=self.product_id,
            run=self.run,
            purpose=self.purpose,
            provider=provider,
            model=model,
        )


def mask_messages(messages: Sequence[Message]) -> list[Message]:
    """Return messages in which nothing looks like a secret."""
    return [
        replace(
            message,
            content=mask_secrets(message.content),
            tool_calls=tuple(
                replace(call, arguments=mask_secrets(call.arguments))
                for call in message.tool_calls
            ),
        )
        for message in messages
    ]


class CountedStreamingChat:
    """A StreamingChat whose calls are counted and capped.

    build: returns the model. What takes time is done in threads: loading its client, a
    second once; masking, some milliseconds; the database.
    """

    def __init__(
        self,
        provider: str,
        model: str,
        build: Callable[[], StreamingChat],
        account: ModelAccount,
        *,
        price: Price | None,
    ) -> None:
        self.provider, self.model = provider, model
        self._build, self._account, self._price = build, account, price

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_output_tokens: int = 2048,
        temperature: float = 0.2,
        tools: Sequence[ToolSpec] = (),
    ) -> ChatStream:
        """Return the model's next message as it comes.

        Reading it raises CapReached, PermissionDenied, and ChatErrors.
        """
        call = self._account.new_call(self.provider, self.model)

        def reserve() -> ChatStream:
            chat = self._build()
            sent = mask_messages(messages)
            most = most_usage(sent, max_output_tokens, tools)
            call.reserved_cost = cost_of(most, self._price)
            reserve_call(call=call)
            return chat.stream(
                sent,
                max_output_tokens=max_output_tokens,
                temperature=temperature,
                tools=tools,
            )

        return CountedStream(call, reserve, self._price)


class CountedStream:
    """A ChatStream whose call is settled when it ends, is closed or cancelled."""

    def __init__(
        self,
        call: ModelCall,
        reserve: Callable[[], ChatStream],
        price: Price | None,
    ) -> None:
        self._call, self._reserve, self._price = call, reserve, price
        self._inner: ChatStream | None = None
        self._pieces = self._read()

    @property
    def usage(self) -> Usage:
        """What the call used so far."""
        return self._inner.usage if self._inner else Usage()

    def __aiter__(self) -> CountedStream:
        return self

    async def __anext__(self) -> str | Completion:
        return await anext(self._pieces)

    async def aclose(self) -> None:
        """Close the connection and settle the call."""
        await self._pieces.aclose()

    async def _read(self) -> AsyncGenerator[str | Completion, None]:
        has_failed = False
        try:
            self._inner = await _threads.run_to_end(self._reserve)
            async with aclosing(self._inner):
                async for piece in self._inner:
                    yield piece
        except ChatError:
            has_failed = True
            raise
        finally:
            if self._call.pk is not None:  # it was reserved
                await _threads.run_to_end(
                    settle_call,
                    call=self._call,
                    usage=self.usage,
                    price=self._price,
                    has_failed=has_failed,
                )
