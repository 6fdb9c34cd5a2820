"""Password hashing that leaves the database and the processors to others.

A hash takes tenths of a second of a processor. Whoever computes one waits for a turn,
without holding a connection of the pool, and is refused when the queue is too long.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.utils.translation import gettext

from devrag.core.connection_pool import release_connections
from devrag.core.errors import DevragError

MAX_WAIT_SECONDS = 5.0
# At most half of the processors: pages, REST and `/ready` need the others.
_turns = threading.BoundedSemaphore(max(1, (os.cpu_count() or 1) // 2))


class TooManySignIns(DevragError):
    """More passwords wait to be checked than this process can check in time."""

    code = "rate_limited"
    http_status = 429
    default_permanent = False
    retry_after_seconds = 5.0


class BoundedPBKDF2Hasher(PBKDF2PasswordHasher):
    """Django's default hasher, for few passwords at a time. Same stored format."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        with hashing_turn():
            return str(super().encode(password, salt, iterations))


@contextmanager
def hashing_turn() -> Iterator[None]:
    """Wait for a turn to hash; raise TooManySignIns after five seconds.

    Gives this thread's database connections back, unless they are in a transaction.
    """
    release_connections()
    if not _turns.acquire(timeout=MAX_WAIT_SECONDS):
        raise TooManySignIns(
            gettext("Too many sign-ins are in progress. Try again in a few seconds.")
        )
    try:
        yield
    finally:
        _turns.release()
