"""Jobs and queues as they are now."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, Sum
from django.utils import timezone

from devrag.core.metrics import Metric
from devrag.jobs.api import count_open_jobs, measure_queues
from devrag.jobs.models import OPEN_STATES, Batch, BatchState
from devrag.operations.metrics.gauges import gauge, gauges


def describe_work() -> Iterator[Metric]:
    """Yield open jobs and, by queue, what waits. Reads open rows only. Queries: 3."""
    running, pending = count_open_jobs()
    states = {"running": running, "pending": pending}
    yield gauges("devrag_jobs", "Jobs that run or wait.", "state", states)
    queues, now = measure_queues(), timezone.now()
    yield gauges(
        "devrag_queue_waiting",
        "Pieces of jobs that wait for a worker.",
        "queue",
        {queue.name: queue.waiting for queue in queues},
    )
    yield gauges(
        "devrag_queue_running",
        "Pieces of jobs that a worker has.",
        "queue",
        {queue.name: queue.running for queue in queues},
    )
    yield gauges(
        "devrag_queue_age_seconds",
        "Age of the oldest job that has pieces in a queue.",
        "queue",
        {
            queue.name: (now - queue.since).total_seconds()
            for queue in queues
            if queue.since is not None
        },
    )
    yield gauge(
        "devrag_texts_without_vector",
        "Texts that open jobs have still to embed.",
        _texts_left(),
    )


def _texts_left() -> int:
    batches = Batch.objects.filter(
        queue="embed",
        job__kind="embed",
        job__state__in=OPEN_STATES,
        state__in=[BatchState.OPEN, BatchState.RUNNING],
    )
    left = batches.aggregate(n=Sum(F("units") - F("done_units")))["n"]
    return int(left or 0)
