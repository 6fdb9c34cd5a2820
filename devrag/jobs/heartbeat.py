"""A sign of life: the tick, done by a worker, leaves a key in the broker."""

from __future__ import annotations

import redis
from django.conf import settings

_KEY = "devrag:tick"
_ALIVE_SECONDS = 30


def open_broker() -> redis.Redis:
    """Return a client that gives up soon."""
    return redis.Redis.from_url(
        settings.BROKER_URL, socket_timeout=2, socket_connect_timeout=2
    )


def leave_heartbeat() -> None:
    """Say that beat, broker and a worker work together right now."""
    with open_broker() as client:
        client.set(_KEY, settings.HOST_NAME, ex=_ALIVE_SECONDS)


def has_heartbeat() -> bool:
    """Return whether a worker did a tick lately; redis.RedisError without a broker."""
    with open_broker() as client:
        return bool(client.exists(_KEY))


def worker_hint() -> str:
    """Return what to do when a job does not start, '' while workers are there."""
    try:
        if has_heartbeat():
            return ""
    except redis.RedisError:
        pass
    where = settings.DEVRAG_HOME / "log"
    return f"No worker is answering. Run `devrag server start`; logs are in {where}."
