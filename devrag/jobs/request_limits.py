"""How many requests a token may send in a minute, over all entry points."""

from __future__ import annotations

import time
from functools import lru_cache

import redis
import structlog
from django.conf import settings

from devrag.core.errors import DevragError
from devrag.jobs.heartbeat import open_broker

log = structlog.get_logger("devrag.jobs")
_MINUTE = 60


class TooManyRequests(DevragError):
    """More requests with one token than are allowed."""

    code = "rate_limited"
    http_status = 429
    default_permanent = False

    def __init__(self, message: str, *, retry_after_seconds: float) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


@lru_cache(maxsize=4)
def broker_at(url: str) -> redis.Redis:
    """Return this process's client of a broker; its connections are kept."""
    return open_broker()


def count_request(token: str) -> None:
    """Count a request of a token; raise TooManyRequests beyond its minute's share.

    Without the broker nothing is counted: reading must not stop with it.
    """
    most = settings.API_RATE_PER_MINUTE
    if not most:
        return
    minute, second = divmod(time.time(), _MINUTE)
    key = f"devrag:rate:{token[:32]}:{minute:.0f}"
    try:
        with broker_at(settings.BROKER_URL).pipeline(transaction=False) as pipe:
            pipe.incr(key)
            pipe.expire(key, 2 * _MINUTE)
            count, _ = pipe.execute()
    except redis.RedisError as error:
        log.warning("requests not counted", error=type(error).__name__)
        return
    if count > most:
        left = _MINUTE - second
        raise TooManyRequests(
            f"This token is limited to {most:,} requests per minute. Try again in "
            f"{left:.0f} seconds, or raise API_RATE_PER_MINUTE.",
            retry_after_seconds=left,
        )
