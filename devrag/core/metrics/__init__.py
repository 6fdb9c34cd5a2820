"""Counts and durations of all processes together, for Prometheus.

Each process adds what it counted to one hash in Valkey every few seconds. So web
processes and workers of all hosts add up by themselves, whichever answers a scrape
(docs/decisions/0041-metrics-in-valkey.md).
"""

from __future__ import annotations

from devrag.core.metrics.counting import count, flush, observe, read_totals
from devrag.core.metrics.definitions import COUNTERS, HISTOGRAMS, Counter, Histogram
from devrag.core.metrics.exposition import Metric, Sample, write_metrics

__all__ = [
    "COUNTERS",
    "HISTOGRAMS",
    "Counter",
    "Histogram",
    "Metric",
    "Sample",
    "count",
    "flush",
    "observe",
    "read_totals",
    "write_metrics",
]
