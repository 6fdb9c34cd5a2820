"""How many answers are written at once, of one asker and in all, kept or not."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.translation import gettext

from devrag.core.errors import DevragError
from devrag.core.principal import Principal

# As many as two cores answer while pages keep their speed.
MAX_RUNNING = 50
# Of a user or token: one can go on reading while thorough answers are written.
MAX_RUNNING_PER_OWNER = 4
_RETRY_SECONDS = 5.0
_lock = threading.Lock()  # answers for REST have event loops in several threads
_running: Counter[str] = Counter()


class TooManyRunning(DevragError):
    """More answers at once than are written; retry_after_seconds: when to try again."""

    code = "rate_limited"
    http_status = 429
    default_permanent = False
    retry_after_seconds = _RETRY_SECONDS


def asker_of(principal: Principal, owner_key: str = "") -> str:
    """Return under which name the answers of a caller are counted.

    owner_key: of a conversation, which tells apart browsers that nobody signed in to.
    """
    if principal.user_id is not None:
        return f"user {principal.user_id}"
    is_token = principal.scopes is not None  # whose name no other has
    return principal.name if is_token else f"{principal.name} {owner_key}"


@contextmanager
def running_answer(asker: str) -> Iterator[None]:
    """Count an answer of this process while it is written. Raises TooManyRunning."""
    with _lock:
        _check(asker)
        _running[asker] += 1
    try:
        yield
    finally:
        with _lock:
            _running[asker] -= 1
            if not _running[asker]:
                del _running[asker]


def count_running() -> int:
    """Return how many answers this process writes now."""
    with _lock:
        return _running.total()


def check_room(asker: str) -> None:
    """Raise TooManyRunning where an answer would not be begun now."""
    with _lock:
        _check(asker)


def check_counts(*, own: int, total: int) -> None:
    """Raise TooManyRunning where no more answers may be written at once."""
    if own >= MAX_RUNNING_PER_OWNER:
        raise TooManyRunning(
            gettext(
                "%(most)s of your questions are being answered. Wait for one of them, "
                "or stop it."
            )
            % {"most": MAX_RUNNING_PER_OWNER}
        )
    if total >= MAX_RUNNING:
        raise TooManyRunning(
            gettext(
                "%(most)s questions are being answered at the moment. Try again in a "
                "minute."
            )
            % {"most": MAX_RUNNING}
        )


def _check(asker: str) -> None:
    check_counts(own=_running[asker], total=_running.total())
