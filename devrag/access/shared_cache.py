"""A cache that all web processes share, in the broker's Valkey.

It holds the rate limits of sign-in and of names that are refused. While Valkey
does not answer, each process goes on with a cache of its own: people can sign in, and
the limits hold for each process.
"""

from __future__ import annotations

import json
import time
from functools import lru_cache
from typing import Any

import redis
import structlog
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient

log = structlog.get_logger(__name__)
_RETRY_SECONDS = 5.0
# Address of a server that did not answer → when to ask it again (monotonic seconds).
_away_until: dict[str, float] = {}


class JsonSerializer:
    """JSON instead of pickle: what is read from Valkey never becomes code."""

    def dumps(self, value: Any) -> bytes:
        return json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)


class SharedCache(RedisCache):
    """Django's Redis cache with a cache of the process behind it."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._server = server
        self._own = LocMemCache(server, params)

    @property
    def _cache(self) -> RedisCacheClient:
        return _client_of(self._server)

    def add(
        self,
        key: str,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> bool:
        return bool(self._ask("add", key, value, timeout, version))

    def get(
        self, key: str, default: Any | None = None, version: int | None = None
    ) -> Any:
        return self._ask("get", key, default, version)

    def set(
        self,
        key: str,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> None:
        self._ask("set", key, value, timeout, version)

    def delete(self, key: str, version: int | None = None) -> bool:
        return bool(self._ask("delete", key, version))

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        return int(self._ask("incr", key, delta, version))

    def clear(self) -> None:
        """Refuse: Django would empty the broker's database, queues and all."""
        raise NotImplementedError("This would delete the broker's queues.")

    def _ask(self, name: str, *args: Any) -> Any:
        if time.monotonic() >= _away_until.get(self._server, 0.0):
            try:
                return getattr(RedisCache, name)(self, *args)
            except redis.RedisError as error:
                # Not again for each key: an unreachable host takes two seconds.
                _away_until[self._server] = time.monotonic() + _RETRY_SECONDS
                log.warning("shared_cache_unreachable", error=type(error).__name__)
        return getattr(self._own, name)(*args)


@lru_cache(maxsize=4)
def _client_of(server: str) -> RedisCacheClient:
    """Return this process's client; Django makes a cache object for each thread."""
    return RedisCacheClient(
        [server],
        serializer=JsonSerializer(),  # type: ignore[arg-type]  # bytes only
        # Requests beyond the pool wait; they would count in the own cache otherwise.
        pool_class=redis.BlockingConnectionPool,
        max_connections=20,
        timeout=5,
        socket_timeout=2,
        socket_connect_timeout=2,
    )
