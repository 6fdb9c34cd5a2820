"""A server's limits, as it tells them or documents them: how long to leave it alone."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Callable
from datetime import UTC, datetime

import httpx2

_FIRST_PAUSE = 1.0


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
    if headers.get("x-ratelimit-remaining", "") != "0":
        return 0.0
    written, now = headers.get("x-ratelimit-reset", ""), _now_of(headers)
    if written.isdigit():
        number = float(written)
        return max(0.1, number - now.timestamp() if number > 10**8 else number)
    try:
        when = datetime.fromisoformat(written)
    except ValueError:
        return _FIRST_PAUSE
    zoned = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.1, (zoned - now).total_seconds())


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
