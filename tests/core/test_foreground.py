"""Reads go first until their response begins; others let them pass for a while."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from devrag.core.foreground import Foreground, Message, ReadsFirst


def test_work_waits_until_what_goes_first_has_ended() -> None:
    foreground = Foreground()
    thread = threading.Thread(target=foreground.let_pass, args=(60,))
    with foreground.work():
        thread.start()
        thread.join(0.1)
        assert thread.is_alive()
    thread.join(10)
    assert not thread.is_alive()


def test_work_does_not_wait_for_ever() -> None:
    foreground = Foreground()
    with foreground.work():
        foreground.let_pass(0)  # returns


def test_nothing_is_counted_twice() -> None:
    foreground = Foreground()
    with foreground.work() as end_first, foreground.work():
        end_first()
        end_first()
        assert foreground.is_busy
    assert not foreground.is_busy


def _answered(method: str, *, kind: str = "http") -> list[bool]:
    """Return whether a request goes first: at its start, once its response began."""
    foreground = Foreground()
    seen: list[bool] = []

    async def application(_scope: Any, _receive: Any, send: Any) -> None:
        seen.append(foreground.is_busy)
        await send({"type": "http.response.start", "status": 200})
        seen.append(foreground.is_busy)
        raise ConnectionError

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_message: Message) -> None:
        return None

    async def call() -> None:
        try:
            scope = {"type": kind, "method": method}
            await ReadsFirst(application, foreground)(scope, receive, send)
        except ConnectionError:
            seen.append(foreground.is_busy)

    asyncio.run(call())
    return seen


def test_a_page_goes_first_until_its_response_begins() -> None:
    assert _answered("GET") == [True, False, False]


def test_questions_do_not_go_first() -> None:
    assert _answered("POST") == [False, False, False]
    assert _answered("", kind="lifespan") == [False, False, False]
