"""Events are written and read back, and a stream ends the work behind it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.core.event_stream import COMMENT, format_event, read_events, with_pauses

_TEXTS = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]))


@given(st.lists(_TEXTS))
def test_events_are_read_as_they_were_written(texts: list[str]) -> None:
    written = b"".join(
        COMMENT + format_event(text, name="draft", key=str(number))
        for number, text in enumerate(texts)
    )
    lines = written.splitlines(keepends=True)
    assert list(read_events(lines)) == [("draft", text) for text in texts]


def test_an_event_without_a_name_is_a_message() -> None:
    assert list(read_events([b"data: a\n", b"\n"])) == [("message", "a")]


async def _counted(ended: asyncio.Event) -> AsyncIterator[int]:
    try:
        yield 1
        await asyncio.sleep(3600)
    finally:
        ended.set()


def test_a_silence_is_told_and_what_comes_after_it_is_not_lost() -> None:
    async def run() -> list[int | None]:
        go = asyncio.Event()

        async def events() -> AsyncIterator[int]:
            yield 1
            await go.wait()
            yield 2

        found = []
        async for event in with_pauses(events(), seconds=0.01):
            found.append(event)
            if event is None:
                go.set()
        return found

    found = asyncio.run(run())
    assert (found[0], found[-1], set(found[1:-1])) == (1, 2, {None})


def test_closing_the_stream_ends_what_it_reads() -> None:
    async def run() -> bool:
        ended = asyncio.Event()
        async with aclosing(with_pauses(_counted(ended))) as stream:  # type: ignore[type-var]
            assert await anext(stream) == 1
        return ended.is_set()

    assert asyncio.run(run())


def test_cancelling_the_reader_ends_what_it_reads() -> None:
    async def run() -> bool:
        ended, begun = asyncio.Event(), asyncio.Event()

        async def read() -> None:
            async for _ in with_pauses(_counted(ended)):
                begun.set()

        task = asyncio.create_task(read())
        await begun.wait()
        task.cancel()
        await asyncio.wait({task})
        return ended.is_set()

    assert asyncio.run(run())


def test_a_failure_comes_after_the_events_before_it() -> None:
    async def events() -> AsyncIterator[int]:
        yield 1
        raise ValueError("no more")

    async def run() -> None:
        stream = with_pauses(events())
        assert await anext(stream) == 1
        with pytest.raises(ValueError, match="no more"):
            await anext(stream)

    asyncio.run(run())
