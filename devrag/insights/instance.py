"""How the instance does, for administrators: work, workers, speed, errors, storage."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import redis
from django.conf import settings
from django.db.models import Sum

from devrag.core.principal import Principal
from devrag.insights.days import today
from devrag.insights.models import StorageSize
from devrag.jobs.api import (
    EndedJobs,
    QueueDepth,
    WorkerSign,
    count_ended_jobs,
    count_open_jobs,
    list_workers,
    measure_queues,
    oldest_open_job,
)

_DAYS = 14
_STORAGE_DAYS = 90


@dataclass(frozen=True, slots=True)
class StorageDay:
    """What everything took on a day, in bytes."""

    day: date
    bytes: int


@dataclass(frozen=True, slots=True)
class Storage:
    """Parts as last measured, the biggest first, and the sum by day.

    free, total: of the disk under DEVRAG_HOME, in bytes, right now.
    """

    parts: Sequence[StorageSize]
    days: Sequence[StorageDay]
    measured_at: datetime | None
    free: int
    total: int

    @property
    def bytes(self) -> int:
        return sum(part.bytes for part in self.parts)


@dataclass(frozen=True, slots=True)
class InstanceInsights:
    """workers: None if the broker does not answer. oldest: since when a job is open."""

    since: date
    until: date
    queues: Sequence[QueueDepth]
    running: int
    waiting: int
    oldest: datetime | None
    workers: Sequence[WorkerSign] | None
    activity: Sequence[EndedJobs]
    storage: Storage


def get_instance_insights(principal: Principal) -> InstanceInsights:
    """Return how the instance does, for an administrator. Queries: 8."""
    since = today() - timedelta(days=_DAYS - 1)
    running, waiting = count_open_jobs()
    return InstanceInsights(
        since=since,
        until=today(),
        queues=measure_queues(),
        running=running,
        waiting=waiting,
        oldest=oldest_open_job(),
        workers=_workers(),
        activity=count_ended_jobs(principal, since),
        storage=_storage(),
    )


def _workers() -> Sequence[WorkerSign] | None:
    try:
        return list_workers()
    except redis.RedisError:
        return None


def _storage() -> Storage:
    newest = StorageSize.objects.order_by("host", "part", "-day")
    lately = newest.filter(day__gt=today() - timedelta(days=_STORAGE_DAYS))
    parts = sorted(lately.distinct("host", "part"), key=lambda part: -part.bytes)
    days = lately.order_by("day").values_list("day").annotate(Sum("bytes"))
    disk = shutil.disk_usage(_present_home())
    return Storage(
        parts=parts,
        days=[StorageDay(*row) for row in days],
        measured_at=max((part.measured_at for part in parts), default=None),
        free=disk.free,
        total=disk.total,
    )


def _present_home() -> str:
    home = settings.DEVRAG_HOME
    return str(next(path for path in (home, *home.parents) if path.exists()))
