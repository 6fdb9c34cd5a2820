"""Services that go away under requests: each is answered, or refused with a time."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest

from tests.conftest import Repository
from tests.waiting import wait_until

from .instance import Answer, Instance

pytestmark = [pytest.mark.xdist_group("e2e"), pytest.mark.slow]
_CALL = {"name": "search", "arguments": {"query": "charge"}}
_ENOUGH = 20


def ask_agent(instance: Instance) -> Answer:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": _CALL}
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    return instance.http("/mcp", body, token=instance.token, headers=headers)


REQUESTS: dict[str, Callable[[Instance], Answer]] = {
    "page": lambda instance: instance.http("/search?q=charge"),
    "dashboard": lambda instance: instance.http("/"),
    "rest": lambda instance: instance.api("/search", {"query": "charge"}),
    "agent": ask_agent,
}


@contextmanager
def asking(instance: Instance) -> Iterator[list[tuple[str, Answer]]]:
    """Ask in all ways at once, until the end."""
    answers: list[tuple[str, Answer]] = []
    ended = threading.Event()

    def ask(name: str) -> None:
        while not ended.is_set():
            try:
                answers.append((name, REQUESTS[name](instance)))
            except (OSError, http.client.HTTPException) as error:
                answers.append((name, Answer(0, {}, str(error))))

    with ThreadPoolExecutor(len(REQUESTS)) as pool:
        asked = [pool.submit(ask, name) for name in REQUESTS]
        try:
            yield answers
        finally:
            ended.set()
        for each in asked:
            each.result()


def end_backends(instance: Instance) -> None:
    """End every connection but this one, as an administrator may."""
    path = instance.home / "run" / "services.json"
    url = json.loads(path.read_text())["database_url"]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND usename = current_user"
        )


def kill_database(instance: Instance) -> None:
    os.kill(instance.pids()["PostgreSQL"], signal.SIGKILL)


def kill_broker(instance: Instance) -> None:
    os.kill(instance.pids()["Valkey"], signal.SIGKILL)


def delete_word_index(instance: Instance) -> None:
    shutil.rmtree(instance.home / "lexical", ignore_errors=True)


@pytest.mark.parametrize(
    "disturb", [end_backends, kill_database, kill_broker, delete_word_index]
)
def test_requests_are_answered_or_refused_with_a_time(
    instance: Instance, shop: Repository, disturb: Callable[[Instance], None]
) -> None:
    wait_until(instance.is_healthy, 60)
    with asking(instance) as answers:
        for _ in range(3):
            disturb(instance)
            seen = len(answers)
            wait_until(
                lambda seen=seen: len(answers) > seen + _ENOUGH, 60, "more answers"
            )
        wait_until(instance.is_healthy, 60)
    wait_until(lambda: instance.finds("charge", "shop/till.py"), 60, "the index again")
    odd = [(name, a) for name, a in answers if a.status not in {200, 503}]
    assert odd == []
    for name, answer in answers:
        if answer.status == 503:
            headers = {key.lower(): value for key, value in answer.headers.items()}
            assert int(headers["retry-after"]) > 0, (name, answer)
            assert "is not responding" in answer.text or "too long" in answer.text, name
        elif name == "agent" and "error" in answer.json():
            assert answer.json()["error"]["code"] == -32003, answer
