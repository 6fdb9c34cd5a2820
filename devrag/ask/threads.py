"""Where a question meets the database: a few threads, so that pages keep theirs."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import connection

P = ParamSpec("P")
T = TypeVar("T")
_THREADS = 4


async def in_thread(
    function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
) -> T:
    """Call in one of the threads, with a database connection of its own."""

    def call() -> T:
        try:
            return function(*args, **kwargs)
        finally:
            connection.close()

    run = sync_to_async(call, thread_sensitive=False, executor=_threads())
    return await run()


@lru_cache(maxsize=1)
def _threads() -> ThreadPoolExecutor:
    """Return the threads; made by the first question, so that no fork inherits them."""
    return ThreadPoolExecutor(_THREADS, thread_name_prefix="ask")
