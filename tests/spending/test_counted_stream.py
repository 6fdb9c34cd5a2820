"""Streamed calls on a product's account, whatever becomes of them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import aclosing
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from devrag.core.errors import ConfigurationError, PermissionDenied
from devrag.core.locks import lock_until_commit
from devrag.core.masking import MASK
from devrag.core.threads import DatabaseThreads
from devrag.llm.chat import Completion, Message, StreamingChat, ToolCall, ToolSpec
from devrag.llm.errors import ChatError, ChatInternal, ChatUnavailable
from devrag.products.models import Product
from devrag.spending.budget import CapReached
from devrag.spending.language_model import ask_model_name, open_stream
from devrag.spending.models import ASK_PURPOSE, ModelCall
from tests.llm.chat_server import ChatServer, Reply, chat_server, use_server
from tests.scripted_server import Scripted
from tests.tiers import mostly_slow

pytestmark = pytest.mark.django_db(transaction=True)
RUN = UUID(int=9)
TURNS = [Message("user", "What is tea?")]
ENDLESS = Reply("Tea is served. " * 200, fault="drip")


@pytest.fixture(params=mostly_slow(["openai", "anthropic"]))
def server(settings: Any, request: pytest.FixtureRequest) -> Iterator[ChatServer]:
    with chat_server() as server:
        use_server(server, settings, request.param)
        yield server


def open_one(product: Product, run: UUID = RUN) -> StreamingChat:
    return open_stream(
        product_id=product.pk, run=run, purpose=ASK_PURPOSE, model=ask_model_name()
    )


async def read(chat: StreamingChat, **options: Any) -> Completion:
    pieces = [piece async for piece in chat.stream(TURNS, **options)]
    assert isinstance(pieces[-1], Completion)
    return pieces[-1]


def test_a_call_is_counted_with_what_it_cost(
    server: ChatServer, product: Product
) -> None:
    server.script = [Reply("Tea.", input_tokens=1000, output_tokens=100, cached=400)]
    assert asyncio.run(read(open_one(product))).text == "Tea."
    call = ModelCall.objects.get()
    assert (call.input_tokens, call.cached_input_tokens) == (1000, 400)
    assert (call.output_tokens, call.purpose, call.run) == (100, "ask", RUN)
    assert call.cost == Decimal("0.0022")
    assert call.reserved_cost > call.cost
    assert call.finished_at is not None


def test_what_a_call_may_cost_is_reserved_while_it_is_at_work(
    server: ChatServer, product: Product
) -> None:
    server.script = [ENDLESS]

    async def look() -> ModelCall:
        async with aclosing(open_one(product).stream(TURNS)) as stream:
            await anext(stream)
            return await DatabaseThreads("test", 1).run(ModelCall.objects.get)

    call = asyncio.run(look())
    assert (call.cost, call.finished_at) == (None, None)
    assert call.reserved_cost > 0


def test_tools_count_in_what_is_reserved(server: ChatServer, product: Product) -> None:
    tool = ToolSpec("search", "Find. " * 1_000, {"type": "object"})
    for tools in ([], [tool]):
        asyncio.run(read(open_one(product), tools=tools))
    without, with_tools = ModelCall.objects.order_by("pk")
    # 6,000 bytes more at $2 a million tokens
    assert with_tools.reserved_cost - without.reserved_cost >= Decimal("0.012")


def test_a_stream_that_is_closed_is_settled_at_what_it_used(
    server: ChatServer, product: Product
) -> None:
    server.script = [ENDLESS]

    async def close() -> None:
        async with aclosing(open_one(product).stream(TURNS)) as stream:
            for _ in range(3):
                await anext(stream)
        assert await asyncio.to_thread(server.is_left.wait, 5)

    asyncio.run(close())
    call = ModelCall.objects.get()
    assert call.finished_at is not None
    assert 0 < call.cost < call.reserved_cost
    assert call.output_tokens > 0


def test_a_reader_that_is_cancelled_leaves_a_settled_call(
    server: ChatServer, product: Product
) -> None:
    server.script = [ENDLESS]

    async def cancel() -> None:
        is_begun = asyncio.Event()

        async def consume() -> None:
            async for _ in open_one(product).stream(TURNS):
                is_begun.set()

        task = asyncio.create_task(consume())
        await is_begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(server.is_left.wait, 5)

    asyncio.run(cancel())
    call = ModelCall.objects.get()
    assert call.finished_at is not None
    assert call.output_tokens > 0


def test_a_reader_that_is_cancelled_before_the_first_word_is_counted(
    server: ChatServer, product: Product
) -> None:
    server.script = [Scripted(is_late=True)]

    async def cancel() -> None:
        task = asyncio.create_task(read(open_one(product)))
        while not server.seen:
            await asyncio.wait([task], timeout=0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    call = ModelCall.objects.get()
    assert call.finished_at is not None
    assert call.input_tokens > 0


def test_a_reader_that_is_cancelled_while_a_call_is_reserved_leaves_none_open(
    server: ChatServer, product: Product
) -> None:
    async def cancel() -> None:
        is_held, may_go = threading.Event(), threading.Event()

        def hold() -> None:
            with transaction.atomic():
                lock_until_commit(f"spend:{product.pk}")
                is_held.set()
                may_go.wait(10)

        holding = asyncio.create_task(DatabaseThreads("test", 1).run(hold))
        await asyncio.to_thread(is_held.wait, 10)
        task = asyncio.create_task(read(open_one(product)))
        await asyncio.wait([task], timeout=0.2)
        task.cancel()
        await asyncio.wait([task], timeout=0.01)
        may_go.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        await holding

    asyncio.run(cancel())
    assert not ModelCall.objects.filter(finished_at=None).exists()
    assert set(ModelCall.objects.values_list("cost", flat=True)) <= {0}
    assert server.seen == []


@pytest.mark.parametrize(
    ("answer", "kind", "is_paid"),
    [
        (Reply("Tea is served. " * 9, fault="cut"), ChatInternal, True),
        (Reply("Tea is served. " * 9, fault="end"), ChatInternal, True),
        (Reply("Tea", fault="stall"), ChatUnavailable, True),
        (Scripted(500, {"error": "oops"}), ChatInternal, False),
    ],
)
def test_a_call_that_fails_is_tried_once_and_settled(
    server: ChatServer,
    product: Product,
    settings: Any,
    answer: Any,
    kind: type[ChatError],
    is_paid: bool,
) -> None:
    settings.LLM_TIMEOUT = 0.3
    server.script = [answer]
    with pytest.raises(kind):
        asyncio.run(read(open_one(product)))
    call = ModelCall.objects.get()
    assert call.finished_at is not None
    assert (call.cost > 0) is is_paid


def test_a_cap_stops_an_answer_before_it_is_passed(
    server: ChatServer, product: Product, settings: Any
) -> None:
    settings.ASK_CAP_PER_DAY = 0.06
    server.write = lambda asked: Reply("Tea.", output_tokens=2048)

    async def ask_often() -> None:
        for _ in range(50):
            await read(open_one(product, uuid4()))

    with pytest.raises(CapReached, match="ASK_CAP_PER_DAY"):
        asyncio.run(ask_often())
    spent = sum(ModelCall.objects.values_list("cost", flat=True))
    assert Decimal("0.03") < spent <= Decimal("0.06")
    assert len(server.seen) == ModelCall.objects.count()


def test_nothing_is_sent_of_a_product_that_keeps_its_texts(
    server: ChatServer, product: Product
) -> None:
    Product.objects.update(is_external_models_allowed=False)
    with pytest.raises(PermissionDenied, match="passages only"):
        asyncio.run(read(open_one(product)))
    assert server.seen == []
    assert not ModelCall.objects.exists()


def test_what_looks_like_a_secret_does_not_leave(
    server: ChatServer, product: Product
) -> None:
    secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    call = ToolCall("call_a", "search", f'{{"query": "{secret}"}}')
    turns = [
        Message("user", secret),
        Message("assistant", "", tool_calls=(call,)),
        Message("tool", secret, tool_call_id="call_a"),
    ]

    async def ask() -> None:
        async for _ in open_one(product).stream(turns):
            pass

    asyncio.run(ask())
    sent = str(server.seen[0].body)
    assert secret not in sent
    assert MASK in sent


def test_no_model_is_opened_where_none_is_set(product: Product, settings: Any) -> None:
    settings.LLM_PROVIDER = "structural"
    with pytest.raises(ConfigurationError, match="LLM_PROVIDER"):
        open_one(product)


def test_another_model_may_answer(
    server: ChatServer, product: Product, settings: Any
) -> None:
    settings.ASK_MODEL = "gpt-4.1-nano"
    asyncio.run(read(open_one(product)))
    assert ModelCall.objects.get().model == "gpt-4.1-nano"
    assert server.seen[0].body["model"] == "gpt-4.1-nano"
