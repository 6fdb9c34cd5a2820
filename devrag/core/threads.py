"""Database work of code that awaits: in a few threads, so that others keep theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import connection, connections

P = ParamSpec("P")
T = TypeVar("T")
Application = Callable[[Any, Any, Any], Awaitable[None]]


class DatabaseThreads:
    """So many threads; made by the first call, so that no fork inherits them.

    before_query: called in the thread ahead of each statement.
    """

    def __init__(
        self, name: str, count: int, before_query: Callable[[], None] | None = None
    ) -> None:
        self._name, self._count = name, count
        self._before_query = before_query
        self._threads: ThreadPoolExecutor | None = None

    async def run(
        self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call in one of the threads, with a database connection of its own."""

        def call() -> T:
            try:
                with self._queries():
                    return function(*args, **kwargs)
            finally:
                connection.close()

        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._count, self._name)
        return await sync_to_async(
            call, thread_sensitive=False, executor=self._threads
        )()

    @contextmanager
    def _queries(self) -> Iterator[None]:
        before = self._before_query
        if before is None:
            yield
            return

        def execute(run: Callable[..., Any], *statement: Any) -> Any:
            before()
            return run(*statement)

        with connection.execute_wrapper(execute):
            yield

    async def run_to_end(
        self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call as run() does; who is cancelled meanwhile goes on waiting for its end.

        For work whose outcome must be known, such as whether a row was written.
        """
        task = asyncio.ensure_future(self.run(function, *args, **kwargs))
        is_cancelled = False
        while not task.done():
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError:
                is_cancelled = True
        result = task.result()
        if is_cancelled:
            raise asyncio.CancelledError
        return result


class ClosingThreads(ThreadPoolExecutor):
    """Threads whose work gives back its database connections when it ends."""

    def submit(
        self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Run a function as any executor does."""

        def call() -> T:
            try:
                return function(*args, **kwargs)
            finally:
                connections.close_all()

        return super().submit(call)


def with_closing_threads(application: Application) -> Application:
    """Return an ASGI application whose event loop has ClosingThreads by default.

    Django renders the pages of errors in the default threads of the loop, where nothing
    else closes connections: each thread would keep one of the pool forever.
    """
    prepared: asyncio.AbstractEventLoop | None = None

    async def serve(scope: Any, receive: Any, send: Any) -> None:
        nonlocal prepared
        loop = asyncio.get_running_loop()
        if prepared is not loop:
            prepared = loop
            loop.set_default_executor(ClosingThreads(thread_name_prefix="default"))
        await application(scope, receive, send)

    return serve
