"""How many jobs ended on each day: of those that expired, and of those still there.

A job that expires is counted in the transaction that deletes it, so that each counts
once. Days are those of the instance's time zone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from devrag.core.principal import Principal
from devrag.jobs.models import Job, JobCount, JobState
from devrag.products.limits import hidden_limits

COUNTS_KEPT = timedelta(days=400)
_KEYS = ("day", "product_id", "source_id", "kind", "state", "error_code")
_SUMS = ("jobs", "seconds", "units", "work_seconds")


@dataclass(frozen=True, slots=True)
class EndedJobs:
    """Jobs of a day that ended alike; fields as in JobCount."""

    day: date
    product_id: int | None
    source_id: int | None
    kind: str
    state: str
    error_code: str
    jobs: int
    seconds: float
    units: int
    work_seconds: float

    @property
    def has_failed(self) -> bool:
        return self.state == "failed"


def count_ended_jobs(
    principal: Principal, since: date, *, product_id: int | None = None
) -> Sequence[EndedJobs]:
    """Return what ended from a day on, by day. Queries: 3.

    product_id: None for all products, which only administrators may ask for. Jobs about
    sources that are limited to others are not counted.
    """
    hidden = set(hidden_limits(principal).values_list("source_id", flat=True))
    rows = [*_expired(since, product_id), *_present(since, product_id)]
    seen = (row for row in rows if row.source_id not in hidden)
    return sorted(seen, key=lambda row: (row.day, row.kind, row.state))


def count_and_delete(jobs: Sequence[UUID]) -> int:
    """Add ended jobs to the counts and delete them; return how many there were."""
    with transaction.atomic(), connection.cursor() as cursor:
        # Another process that does the same waits, and then finds none.
        held = Job.objects.select_for_update().filter(pk__in=jobs).order_by("pk")
        ids = list(held.values_list("pk", flat=True))
        cursor.execute(_ADD, {**_fixed(), "ids": ids})
        Job.objects.filter(pk__in=ids).delete()
    return len(ids)


def old_counts() -> QuerySet[JobCount]:
    """Return counts that are too old for any page to show."""
    return JobCount.objects.filter(day__lt=_today() - COUNTS_KEPT)


def _expired(since: date, product_id: int | None) -> Iterable[EndedJobs]:
    rows = JobCount.objects.filter(day__gte=since)
    if product_id is not None:
        rows = rows.filter(product=product_id)
    return (EndedJobs(*row) for row in rows.values_list(*_KEYS, *_SUMS))


def _present(since: date, product_id: int | None) -> Iterable[EndedJobs]:
    condition = "j.finished_at >= %(since)s"
    if product_id is not None:
        condition += " AND j.product_id = %(product)s"
    with connection.cursor() as cursor:
        cursor.execute(
            _COUNT.format(condition=condition),
            {**_fixed(), "since": _midnight(since), "product": product_id},
        )
        return [EndedJobs(*row) for row in cursor.fetchall()]


def _today() -> date:
    return timezone.localdate(timezone=timezone.get_default_timezone())


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, timezone.get_default_timezone())


def _fixed() -> dict[str, Any]:
    ended = (JobState.COMPLETED, JobState.FAILED, JobState.CANCELLED)
    return {"zone": settings.TIME_ZONE, "ended": [state.value for state in ended]}


_COUNT = """
SELECT (j.finished_at AT TIME ZONE %(zone)s)::date, j.product_id,
  (j.params ->> 'sourceID')::bigint, j.kind, j.state, j.error_code, count(*),
  sum(extract(epoch FROM j.finished_at - coalesce(j.started_at, j.finished_at)))::float,
  sum(CASE j.kind
    WHEN 'index' THEN coalesce((j.report ->> 'added')::bigint, 0)
      + coalesce((j.report ->> 'modified')::bigint, 0)
    WHEN 'embed' THEN coalesce((j.report ->> 'embedded')::bigint, 0)
    ELSE 0 END)::bigint,
  sum(CASE j.kind
    WHEN 'index' THEN coalesce((j.report -> 'seconds' ->> 'parse')::float, 0)
    WHEN 'embed' THEN extract(epoch FROM j.finished_at - j.started_at)::float
    ELSE 0 END)::float
FROM jobs_job j
WHERE j.state = ANY(%(ended)s) AND {condition}
GROUP BY 1, 2, 3, 4, 5, 6
"""
_ADD = f"""
INSERT INTO jobs_jobcount
  (day, product_id, source_id, kind, state, error_code,
   jobs, seconds, units, work_seconds)
{_COUNT.format(condition="j.id = ANY(%(ids)s)")}
ON CONFLICT (product_id, day, source_id, kind, state, error_code) DO UPDATE SET
  jobs = jobs_jobcount.jobs + excluded.jobs,
  seconds = jobs_jobcount.seconds + excluded.seconds,
  units = jobs_jobcount.units + excluded.units,
  work_seconds = jobs_jobcount.work_seconds + excluded.work_seconds
"""
