"""The one way in which tests wait for another process: look again until a deadline."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import connection

T = TypeVar("T")
_PAUSE = threading.Event()


def wait_until(
    condition: Callable[[], T],
    seconds: float = 30,
    what: str | Callable[[], object] = "the condition",
) -> T:
    """Return the condition's value as soon as it is true; fail after the deadline."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            name = what() if callable(what) else what
            raise AssertionError(f"{name} did not hold within {seconds} s")
        _PAUSE.wait(0.02)  # leaves the processor to the others
    return value


def wait_for_lock_waiters(count: int = 1) -> None:
    """Wait until so many transactions of this database server wait for locks."""

    def are_waiting() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            return bool(cursor.fetchone()[0] >= count)

    wait_until(are_waiting, 10, "waiting for a lock")
