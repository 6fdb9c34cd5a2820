"""Signs of life in the broker: of the tick, done by a worker, and of each worker."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import redis
from django.conf import settings
from django.utils import timezone

_KEY = "devrag:tick"
_ALIVE_SECONDS = 30
_WORKERS = "devrag:workers"
_FORGOTTEN = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class WorkerSign:
    """A worker as it last told. name: as Celery calls it, `embed@host`."""

    name: str
    queues: tuple[str, ...]
    at: datetime

    @property
    def is_alive(self) -> bool:
        return timezone.now() - self.at < timedelta(seconds=_ALIVE_SECONDS)


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
    """Return what to do when a job does not start, '' while workers are there.

    Busy workers leave ticks undone for a while; their own signs go on.
    """
    try:
        if has_heartbeat() or any(worker.is_alive for worker in list_workers()):
            return ""
    except redis.RedisError:
        pass
    where = settings.DEVRAG_HOME / "log"
    return (
        f"No worker is responding. Run `devrag server start`; the logs are in {where}."
    )


def leave_worker_sign(name: str, queues: Iterable[str]) -> None:
    """Say that a worker is there and which queues it takes from."""
    sign = json.dumps({"at": time.time(), "queues": sorted(queues)})
    with open_broker() as client:
        client.hset(_WORKERS, name, sign)


def list_workers() -> Sequence[WorkerSign]:
    """Return the workers that were there today; redis.RedisError without a broker."""
    with open_broker() as client:
        signs = [_read_sign(*item) for item in client.hgetall(_WORKERS).items()]
        limit = timezone.now() - _FORGOTTEN
        gone = [sign.name for sign in signs if sign.at < limit]
        if gone:
            client.hdel(_WORKERS, *gone)
    return sorted(
        (sign for sign in signs if sign.at >= limit), key=lambda sign: sign.name
    )


def _read_sign(name: bytes, text: bytes) -> WorkerSign:
    sign = json.loads(text)
    at = datetime.fromtimestamp(sign["at"], UTC)
    return WorkerSign(name.decode(), tuple(sign["queues"]), at)
