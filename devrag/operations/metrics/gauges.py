"""What shows how things are now, with one line of code each."""

from __future__ import annotations

from collections.abc import Mapping

from devrag.core.metrics import Metric, Sample


def gauge(name: str, text: str, value: float) -> Metric:
    """Return a gauge without labels."""
    return Metric(name, "gauge", text, [Sample(name, (), float(value))])


def gauges(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    """Return a gauge with one label and a value for each of its values."""
    return _labelled(name, "gauge", text, label, values)


def counters(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    """Return a counter that something else keeps, with one label."""
    return _labelled(name, "counter", text, label, values)


def counter(name: str, text: str, value: float) -> Metric:
    """Return a counter that something else keeps."""
    return Metric(name, "counter", text, [Sample(name, (), float(value))])


def _labelled(
    name: str, kind: str, text: str, label: str, values: Mapping[str, float]
) -> Metric:
    samples = [
        Sample(name, ((label, key),), float(value)) for key, value in values.items()
    ]
    return Metric(name, kind, text, samples)
