"""Count in this process; add to the totals in Valkey every few seconds.

Nothing waits for the broker: while it is away, counts are kept, and added later. What
a process counted in its last seconds is lost when it is killed.
"""

from __future__ import annotations

import atexit
import json
import os
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import redis
from django.conf import settings

from devrag.core.metrics.definitions import COUNTERS, HISTOGRAMS, Counter, Histogram
from devrag.core.metrics.exposition import Metric, Sample

_KEY = "devrag:metrics"
_FLUSH_SECONDS = 2.0
_TIMEOUT_SECONDS = 2
# More sets of labels than the product can have: something is wrong with a label.
_MOST_SERIES = 20_000
_SUM, _BEYOND = "sum", "+Inf"


class _Pending:
    """What was counted and is not in the totals yet, by field of the hash."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.values: dict[str, float] = defaultdict(float)
        self.is_awaited = False

    def add(self, fields: Mapping[str, float]) -> None:
        with self.lock:
            if len(self.values) < _MOST_SERIES:
                for name, value in fields.items():
                    self.values[name] += value
            is_awaited, self.is_awaited = self.is_awaited, True
        if not is_awaited:
            threading.Thread(target=_flush_soon, name="metrics", daemon=True).start()

    def take(self) -> Mapping[str, float]:
        with self.lock:
            taken, self.values = self.values, defaultdict(float)
        return taken

    def is_over(self) -> bool:
        """Return whether nothing is left; whoever adds next then starts a thread."""
        with self.lock:
            self.is_awaited = bool(self.values)
            return not self.is_awaited


_pending = _Pending()


def count(counter: Counter, *labels: str, by: float = 1) -> None:
    """Add to a counter; labels in the order of its definition."""
    _pending.add({_field(counter, labels): float(by)})


def observe(histogram: Histogram, *labels: str, seconds: float) -> None:
    """Add a duration to a histogram."""
    bounds = histogram.bounds
    bucket = next((f"{bound:g}" for bound in bounds if seconds <= bound), _BEYOND)
    _pending.add(
        {
            _field(histogram, labels, bucket): 1.0,
            _field(histogram, labels, _SUM): float(seconds),
        }
    )


def flush() -> None:
    """Add what this process counted to the totals; keep it while that fails."""
    taken = _pending.take()
    if not taken:
        return
    try:
        with _broker() as client, client.pipeline() as pipeline:
            for name, value in taken.items():
                pipeline.hincrbyfloat(_KEY, name, value)
            pipeline.execute()
    except redis.RedisError:
        with _pending.lock:
            for name, value in taken.items():
                _pending.values[name] += value


def read_totals() -> list[Metric]:
    """Return counters and histograms of all processes; redis.RedisError without them.

    Fields of another version, with other labels, are left out.
    """
    with _broker() as client:
        stored: Any = client.hgetall(_KEY)
    fields: dict[str, list[tuple[list[str], str, float]]] = defaultdict(list)
    for key, value in stored.items():
        name, labels, part = json.loads(key)
        fields[name].append((labels, part, float(value)))
    counters = [_read_counter(each, fields[each.name]) for each in COUNTERS]
    return counters + [_read_histogram(each, fields[each.name]) for each in HISTOGRAMS]


_Fields = list[tuple[list[str], str, float]]


def _read_counter(counter: Counter, fields: _Fields) -> Metric:
    samples = [
        Sample(counter.name, tuple(zip(counter.labels, labels, strict=True)), value)
        for labels, part, value in sorted(fields)
        if len(labels) == len(counter.labels) and not part
    ]
    return Metric(counter.name, "counter", counter.help, samples)


def _read_histogram(histogram: Histogram, fields: _Fields) -> Metric:
    series: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
    for labels, part, value in sorted(fields):
        if len(labels) == len(histogram.labels):
            series[tuple(labels)][part] = value
    samples = [
        sample
        for labels, parts in series.items()
        for sample in _samples_of(histogram, labels, parts)
    ]
    return Metric(histogram.name, "histogram", histogram.help, samples)


def _samples_of(
    histogram: Histogram, values: tuple[str, ...], parts: Mapping[str, float]
) -> Iterator[Sample]:
    labels = tuple(zip(histogram.labels, values, strict=True))
    total = 0.0
    for bound in (*(f"{bound:g}" for bound in histogram.bounds), _BEYOND):
        total += parts.get(bound, 0.0)
        yield Sample(f"{histogram.name}_bucket", (*labels, ("le", bound)), total)
    yield Sample(f"{histogram.name}_sum", labels, parts.get(_SUM, 0.0))
    yield Sample(f"{histogram.name}_count", labels, total)


def _field(what: Counter | Histogram, labels: tuple[str, ...], part: str = "") -> str:
    if len(labels) != len(what.labels):
        raise ValueError(f"{what.name} has the labels {what.labels}")
    return json.dumps([what.name, list(labels), part], ensure_ascii=False)


def _flush_soon() -> None:
    while True:
        time.sleep(_FLUSH_SECONDS)
        flush()
        if _pending.is_over():
            return


def _broker() -> redis.Redis:
    return redis.Redis.from_url(
        settings.BROKER_URL,
        socket_timeout=_TIMEOUT_SECONDS,
        socket_connect_timeout=_TIMEOUT_SECONDS,
    )


def _forget() -> None:
    """A forked process has none of its parent's threads, nor what it counted."""
    global _pending
    _pending = _Pending()


os.register_at_fork(after_in_child=_forget)
atexit.register(flush)
