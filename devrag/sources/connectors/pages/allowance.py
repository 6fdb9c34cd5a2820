"""A server's limits, as it tells them or documents them: how long to leave it alone."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Callable
from datetime import UTC, datetime

import httpx2

_FIRST_PAUSE = 1.0
# How long to wait where a server reports too many requests without a time.
_MINUTE = 60.0
# As GitHub and others write them, and as GitLab does.
_PREFIXES = ("x-ratelimit-", "ratelimit-")


def asked_pause(headers: httpx2.Headers) -> float:
    """Return how long the server wants to be left alone, 0 where it does not say."""
    written = headers.get("retry-after", "")
    if written.isdigit():
        return max(float(written), 0.1)
    when = http_time(written)
    if when is not None:
        return max(0.1, (when - _now_of(headers)).total_seconds())
    return owed_pause(headers)


def owed_pause(headers: httpx2.Headers) -> float:
    """Return the seconds until the server's allowance is full again, 0 if some is left.

    Its reset: seconds from now, seconds since 1970, or ISO 8601; by its own clock.
    """
    prefix = _used_up(headers)
    if not prefix:
        return 0.0
    written, now = headers.get(f"{prefix}reset", ""), _now_of(headers)
    if written.isdigit():
        number = float(written)
        return max(0.1, number - now.timestamp() if number > 10**8 else number)
    try:
        when = datetime.fromisoformat(written)
    except ValueError:
        return _FIRST_PAUSE
    zoned = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.1, (zoned - now).total_seconds())


def is_limited(status: int, headers: httpx2.Headers, body: bytes) -> float:
    """Return how long to wait, in seconds, where a 403 is a rate limit; else 0.

    GitHub answers so, and not with 429, to whoever asks too often.
    """
    if status != 403:
        return 0.0
    if "retry-after" in headers or _used_up(headers):
        return asked_pause(headers)
    return _MINUTE if b"secondary rate limit" in body else 0.0


def _used_up(headers: httpx2.Headers) -> str:
    """Return what the names of the headers begin with that say that nothing is left."""
    found = (each for each in _PREFIXES if headers.get(f"{each}remaining") == "0")
    return next(found, "")


def _now_of(headers: httpx2.Headers) -> datetime:
    """Return the server's time: ours may be minutes away from it."""
    return http_time(headers.get("date", "")) or datetime.now(UTC)


def http_time(written: str) -> datetime | None:
    try:
        found = email.utils.parsedate_to_datetime(written)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


class Pacer:
    """Spreads requests over time: some at once, then so many a second on average."""

    def __init__(
        self,
        per_second: float,
        *,
        at_once: int = 10,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._interval, self._clock = 1 / per_second, clock
        self._ahead = at_once * self._interval
        self._next = 0.0

    def take(self) -> float:
        """Take the next turn; return the seconds until it is there."""
        now = self._clock()
        turn = max(self._next, now)
        self._next = turn + self._interval
        return max(0.0, turn + self._interval - self._ahead - now)
