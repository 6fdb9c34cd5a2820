"""Server-sent events: how they are written, read, and kept alive while nothing happens.

A proxy closes a response in which nothing is sent for a while, so that a stream sends
comments, which clients ignore.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from contextlib import aclosing
from typing import TypeVar

T = TypeVar("T")
CONTENT_TYPE = "text/event-stream"
COMMENT = b": keep-alive\n\n"
SILENCE_SECONDS = 15.0
# X-Accel-Buffering: nginx would otherwise collect events before it sends them.
HEADERS = {"Cache-Control": "no-cache, no-store", "X-Accel-Buffering": "no"}


def format_event(data: str, *, name: str = "", key: str = "") -> bytes:
    """Return an event as it is sent. data: any text. key: its id."""
    head = [f"id: {key}"] if key else []
    head += [f"event: {name}"] if name else []
    lines = [*head, *(f"data: {line}" for line in data.split("\n"))]
    return ("\n".join(lines) + "\n\n").encode()


def read_events(lines: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """Yield the name and data of each event; `message` is the name of one without."""
    name, data = "", list[str]()
    for raw in lines:
        line = raw.decode().rstrip("\r\n")
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line and data:
            yield name or "message", "\n".join(data)
        if not line:
            name, data = "", []
        elif field == "event":
            name = value
        elif field == "data":
            data.append(value)


async def with_pauses(
    events: AsyncIterator[T], seconds: float = SILENCE_SECONDS
) -> AsyncGenerator[T | None, None]:
    """Yield events, and None whenever nothing has come for so many seconds.

    One task reads the events from the first to the last. Closing this iterator
    cancels it and waits until it has ended.
    """
    queue: asyncio.Queue[T | None] = asyncio.Queue()

    async def read() -> None:
        async with aclosing(events) as opened:  # type: ignore[type-var]
            async for event in opened:
                queue.put_nowait(event)

    task = asyncio.create_task(read())
    task.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while True:
            try:
                event = await asyncio.wait_for(queue.get(), seconds)
            except TimeoutError:
                yield None
                continue
            if event is None:
                break
            yield event
        await task
    finally:
        task.cancel()
        await asyncio.wait({task})
