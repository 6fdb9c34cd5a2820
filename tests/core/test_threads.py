"""Database work in threads, and what a cancellation makes of it."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import httpx2
import pytest
from django.db import connection

from devrag.core.threads import DatabaseThreads, with_closing_threads
from tests.asgi_server import asgi_server
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def answer_of_database() -> tuple[int, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        (number,) = cursor.fetchone()
    return number, threading.current_thread().name


def test_work_is_done_in_a_thread_of_its_name() -> None:
    threads = DatabaseThreads("some", 1)
    number, name = asyncio.run(threads.run(answer_of_database))
    assert number == 1
    assert name.startswith("some")


def test_no_more_threads_work_at_once_than_there_are() -> None:
    threads = DatabaseThreads("some", 2)
    lock, at_work, most = threading.Lock(), 0, 0
    gate = threading.Barrier(2)

    def work() -> None:
        nonlocal at_work, most
        with lock:
            at_work += 1
            most = max(most, at_work)
        gate.wait(10)
        with lock:
            at_work -= 1

    async def run() -> None:
        await asyncio.gather(*(threads.run(work) for _ in range(6)))

    asyncio.run(run())
    assert most == 2


def test_each_statement_may_wait_for_others() -> None:
    waits: list[str] = []
    threads = DatabaseThreads(
        "some", 1, lambda: waits.append(threading.current_thread().name)
    )
    for _ in range(2):
        asyncio.run(threads.run(answer_of_database))
    assert [name[:4] for name in waits] == ["some"] * 2
    answer_of_database()
    assert len(waits) == 2


def test_a_failure_is_raised_where_it_is_awaited() -> None:
    threads = DatabaseThreads("some", 1)
    for run in (threads.run, threads.run_to_end):
        with pytest.raises(ValueError, match="invalid literal"):
            asyncio.run(run(int, "x"))


def test_who_is_cancelled_waits_for_the_end_of_what_must_be_done() -> None:
    threads = DatabaseThreads("some", 1)
    is_begun, may_end, is_done = (threading.Event() for _ in range(3))

    def work() -> None:
        is_begun.set()
        may_end.wait(10)
        is_done.set()

    async def cancel() -> None:
        task = asyncio.create_task(threads.run_to_end(work))
        await asyncio.to_thread(is_begun.wait, 10)
        for _ in range(2):
            task.cancel()
            await asyncio.wait([task], timeout=0.01)
            assert not task.done()
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert is_done.is_set()


def test_the_default_threads_of_a_loop_give_their_connections_back() -> None:
    left: list[Any] = []

    async def application(_scope: Any, _receive: Any, _send: Any) -> None:
        number, name = await asyncio.to_thread(answer_of_database)
        assert number == 1
        left.append((name, await asyncio.to_thread(lambda: connection.connection)))

    asyncio.run(with_closing_threads(application)({}, None, None))
    assert left == [("default_0", None)]


def test_the_page_of_an_error_keeps_no_connection() -> None:
    with asgi_server() as address:
        for _ in range(3):
            answer = httpx2.get(
                f"{address}/no/such/page", headers={"Host": "localhost"}
            )
            assert answer.status_code == 404
        wait_until(lambda: others() == 0, what="the end of the page's connections")


def others() -> int:
    """Return how many connections to this database there are beside this one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        (count,) = cursor.fetchone()
    return int(count)
