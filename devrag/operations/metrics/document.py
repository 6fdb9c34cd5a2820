"""The answer to a scrape.

What is looked up in the database is kept for some seconds in this process, so that
several scrapers, or one that asks too often, cost no more than one. A part that cannot
be looked up is missing and counted as an error; the rest is still answered.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence

import redis
import structlog
from django.db import DatabaseError, connection, transaction

from devrag.core.errors import DevragError
from devrag.core.metrics import Metric, flush, read_totals, write_metrics
from devrag.core.unavailable import DATABASE_FAILURES
from devrag.operations.metrics import database, disk, index, parts, work
from devrag.operations.metrics.gauges import gauge, gauges

log = structlog.get_logger("devrag.operations")
Group = Callable[[], Iterable[Metric]]
# They answer without a database too.
_GROUPS: dict[str, Group] = {"counts": read_totals, "parts": parts.describe_parts}
_GROUPS_OF_QUERIES: dict[str, Group] = {
    "work": work.describe_work,
    "index": index.describe_index,
    "database": database.describe_database,
    "disk": disk.describe_disk,
}
KEPT_SECONDS = 10.0
_STATEMENT_SECONDS = 3
_FAILURES = (
    DatabaseError,
    redis.RedisError,
    DevragError,
    OSError,
    *DATABASE_FAILURES,
)


class _Kept:
    """The last answer, and until when it is good."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.text, self.until = "", 0.0


_kept = _Kept()


def describe_metrics() -> str:
    """Return the document, at most KEPT_SECONDS old."""
    with _kept.lock:  # who comes meanwhile takes the same answer
        if time.monotonic() >= _kept.until:
            _kept.text = write_metrics(collect())
            _kept.until = time.monotonic() + KEPT_SECONDS
        return _kept.text


def forget_kept() -> None:
    """Look everything up again at the next scrape."""
    _kept.until = 0.0


def collect() -> Sequence[Metric]:
    """Look everything up now."""
    began = time.monotonic()
    flush()
    found: list[Metric] = []
    errors: dict[str, float] = {}
    for name, group in (_GROUPS | _GROUPS_OF_QUERIES).items():
        try:
            found += _bounded(group) if name in _GROUPS_OF_QUERIES else list(group())
            errors[name] = 0.0
        except _FAILURES as error:
            log.warning("metrics incomplete", part=name, error=type(error).__name__)
            errors[name] = 1.0
    return [*found, *_of_the_scrape(errors, time.monotonic() - began)]


def _bounded(group: Group) -> list[Metric]:
    """Look a group up; none of its statements takes longer than some seconds."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = '{_STATEMENT_SECONDS}s'")
        return list(group())


def _of_the_scrape(errors: dict[str, float], seconds: float) -> Iterable[Metric]:
    yield gauges(
        "devrag_metrics_incomplete",
        "1 for a part of this document that could not be looked up.",
        "part",
        errors,
    )
    text = "How long looking all this up took."
    yield gauge("devrag_metrics_duration_seconds", text, seconds)
