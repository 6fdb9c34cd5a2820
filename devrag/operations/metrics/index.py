"""Sources, and how far their indexes are behind."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, Min, Q
from django.utils import timezone

from devrag.core.metrics import Metric
from devrag.jobs.models import OPEN_STATES, Job
from devrag.operations.consistency_checks.keyword import behind_now
from devrag.operations.metrics.gauges import gauge
from devrag.sources.models import Source


def describe_index() -> Iterator[Metric]:
    """Yield counts of sources and what search lacks. Queries: 4, rows of sources."""
    counted = Source.objects.aggregate(
        all=Count("pk"), failing=Count("pk", filter=Q(index_failures__gt=0))
    )
    yield gauge("devrag_sources", "Sources.", counted["all"])
    yield gauge(
        "devrag_sources_failing", "Sources whose last run failed.", counted["failing"]
    )
    yield gauge(
        "devrag_keyword_index_behind",
        "Sources whose newest state the keyword index of this host lacks.",
        len(behind_now()),
    )
    yield gauge(
        "devrag_index_lag_seconds",
        "Age of the oldest request to index that has not ended.",
        _age(_oldest("index")),
    )
    yield gauge(
        "devrag_vector_lag_seconds",
        "Age of the oldest request to embed that has not ended.",
        _age(_oldest("embed")),
    )


def _oldest(kind: str) -> datetime | None:
    jobs = Job.objects.filter(state__in=OPEN_STATES, kind=kind)
    found: datetime | None = jobs.aggregate(oldest=Min("created_at"))["oldest"]
    return found


def _age(since: datetime | None) -> float:
    return 0.0 if since is None else (timezone.now() - since).total_seconds()
