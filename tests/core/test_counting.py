"""Counts of several processes add up, and none is lost while the broker is away."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import redis

from devrag.core import metrics
from devrag.core.metrics.definitions import HTTP_SECONDS, JOBS, LEASE_LOSSES, Counter
from tests.exposition import read_exposition

LOSSES = 'devrag_lease_losses_total{kind="index"}'


@pytest.fixture(autouse=True)
def broker(settings: Any) -> Iterator[redis.Redis]:
    """A database of the broker's own, empty."""
    metrics.flush()
    settings.BROKER_URL = f"{settings.BROKER_URL.rpartition('/')[0]}/6"
    with redis.Redis.from_url(settings.BROKER_URL) as client:
        client.flushdb()
        yield client
        metrics.flush()
        client.flushdb()


def totals() -> dict[str, float]:
    _types, values = read_exposition(metrics.write_metrics(metrics.read_totals()))
    return values


def test_what_is_counted_is_in_the_totals() -> None:
    metrics.count(JOBS, "index", "completed")
    metrics.count(JOBS, "index", "completed", by=2)
    metrics.flush()
    assert totals() == {'devrag_jobs_ended_total{kind="index",state="completed"}': 3}


def test_processes_add_up(settings: Any) -> None:
    program = (
        "import os, sys\n"
        "from django.conf import settings\n"
        "settings.configure(BROKER_URL=sys.argv[1])\n"
        "from devrag.core import metrics\n"
        "from devrag.core.metrics.definitions import LEASE_LOSSES\n"
        "metrics.count(LEASE_LOSSES, 'index', by=5)\n"
    )
    for _ in range(2):  # what is left is added at the end of a process
        argv = [sys.executable, "-c", program, settings.BROKER_URL]
        subprocess.run(argv, check=True, timeout=60)
    metrics.count(LEASE_LOSSES, "index")
    metrics.flush()
    assert totals()[LOSSES] == 11


def test_a_forked_process_counts_only_its_own() -> None:
    metrics.count(LEASE_LOSSES, "index", by=3)
    pid = os.fork()
    if pid == 0:
        metrics.count(LEASE_LOSSES, "index", by=4)
        metrics.flush()
        os._exit(0)
    os.waitpid(pid, 0)
    metrics.flush()
    assert totals()[LOSSES] == 7


def test_counts_wait_for_a_broker_that_is_away(settings: Any) -> None:
    there = settings.BROKER_URL
    settings.BROKER_URL = "redis://127.0.0.1:9/0"
    metrics.count(LEASE_LOSSES, "index")
    metrics.flush()
    settings.BROKER_URL = there
    metrics.flush()
    metrics.flush()
    assert totals()[LOSSES] == 1


def test_buckets_hold_what_is_not_longer_than_their_bound() -> None:
    for seconds in (0.01, 0.02, 99.0):
        metrics.observe(HTTP_SECONDS, "search", seconds=seconds)
    metrics.flush()
    values = totals()
    name = "devrag_http_request_duration_seconds"

    def bucket(bound: str) -> float:
        return values[f'{name}_bucket{{route="search",le="{bound}"}}']

    assert [bucket(b) for b in ("0.01", "0.025", "10", "+Inf")] == [1, 2, 2, 3]
    assert values[f'{name}_count{{route="search"}}'] == 3
    assert values[f'{name}_sum{{route="search"}}'] == pytest.approx(99.03)


def test_labels_may_hold_anything() -> None:
    metrics.count(LEASE_LOSSES, 'a"b\\c\nd')
    metrics.flush()
    (name,) = totals()
    assert name == 'devrag_lease_losses_total{kind="a\\"b\\\\c\\nd"}'


def test_what_another_version_counted_is_left_out(broker: redis.Redis) -> None:
    broker.hset("devrag:metrics", '["devrag_jobs_ended_total", ["a"], ""]', "1")
    broker.hset("devrag:metrics", '["devrag_unknown_total", [], ""]', "1")
    assert totals() == {}


def test_a_missing_label_is_an_error() -> None:
    with pytest.raises(ValueError, match="labels"):
        metrics.count(JOBS, "index")


def test_counters_are_named_as_prometheus_wants() -> None:
    names = [each.name for each in (*metrics.COUNTERS, *metrics.HISTOGRAMS)]
    assert len(set(names)) == len(names)
    assert all(
        each.name.endswith("_total" if isinstance(each, Counter) else "_seconds")
        for each in (*metrics.COUNTERS, *metrics.HISTOGRAMS)
    )
