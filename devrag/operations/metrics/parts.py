"""The version, and which parts answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import redis

from devrag import __version__
from devrag.core.metrics import Metric, Sample
from devrag.jobs.api import list_workers, open_broker
from devrag.operations.health import CHECKS, describe_health
from devrag.operations.metrics.gauges import gauge, gauges
from devrag.operations.secret_keys import count_old_keys


def describe_parts() -> Iterator[Metric]:
    """Yield version, health, workers, memory of the broker; without a database too."""
    info = Sample("devrag_info", (("version", __version__),), 1.0)
    yield Metric("devrag_info", "gauge", "Version of the web process.", [info])
    state = describe_health()
    yield gauges(
        "devrag_up",
        "1 for a part that answers.",
        "part",
        {name: state[name] == "ok" for name in CHECKS},
    )
    yield gauges(
        "devrag_old_secret_keys",
        "Former keys that are still accepted, by setting.",
        "setting",
        count_old_keys(),
    )
    try:
        yield _workers()
        with open_broker() as broker:
            memory = broker.info("memory")["used_memory"]
    except redis.RedisError:
        return  # devrag_up says so
    yield gauge("devrag_broker_memory_bytes", "Memory that Valkey uses.", memory)


def _workers() -> Metric:
    alive: Counter[str] = Counter()
    for worker in list_workers():
        for queue in worker.queues:
            alive[queue] += worker.is_alive
    return gauges(
        "devrag_workers",
        "Workers that told within half a minute that they take from a queue.",
        "queue",
        alive,
    )
