"""Database work of code that awaits: in a few threads, so that others keep theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import connection

P = ParamSpec("P")
T = TypeVar("T")


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
