"""Requests that go before other work of the same process, such as pages.

Threads of a process compute one at a time. Where many answers are put together beside
pages, each page would wait for its turn again and again: that work pauses instead.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Receive, Send], Awaitable[None]]
_READING = frozenset({"GET", "HEAD"})


class Foreground:
    """Counts what goes first, for threads that let it pass."""

    def __init__(self) -> None:
        self._count = 0
        self._is_free = threading.Condition()

    @contextmanager
    def work(self) -> Iterator[Callable[[], None]]:
        """Count work until the block ends, or what this yields is called."""
        is_counted = True
        with self._is_free:
            self._count += 1

        def end() -> None:
            nonlocal is_counted
            if is_counted:
                is_counted = False
                with self._is_free:
                    self._count -= 1
                    self._is_free.notify_all()

        try:
            yield end
        finally:
            end()

    @property
    def is_busy(self) -> bool:
        """Whether anything goes first now."""
        return self._count > 0

    def let_pass(self, seconds: float) -> None:
        """Wait until nothing goes first any more, but not longer than this."""
        if self.is_busy:
            with self._is_free:
                self._is_free.wait_for(lambda: not self.is_busy, seconds)


class ReadsFirst:
    """An ASGI application whose GET requests go first until their response begins."""

    def __init__(self, application: Application, foreground: Foreground) -> None:
        self._application, self._foreground = application, foreground

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in _READING:
            await self._application(scope, receive, send)
            return
        with self._foreground.work() as end:

            async def send_on(message: Message) -> None:
                end()  # a stream of events may go on for hours
                await send(message)

            await self._application(scope, receive, send_on)


web_requests = Foreground()
