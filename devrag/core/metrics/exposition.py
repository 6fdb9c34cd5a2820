"""Prometheus' text format, version 0.0.4."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Sample:
    """One value. labels: pairs of name and value."""

    name: str
    labels: tuple[tuple[str, str], ...]
    value: float


@dataclass(frozen=True, slots=True)
class Metric:
    """What has one help text and one type: `counter`, `gauge` or `histogram`."""

    name: str
    type: str
    help: str
    samples: Sequence[Sample] = field(default_factory=list)


def write_metrics(metrics: Iterable[Metric]) -> str:
    """Return the document; metrics without samples are left out."""
    return "".join(f"{line}\n" for metric in metrics for line in _lines(metric))


def _lines(metric: Metric) -> Iterator[str]:
    if not metric.samples:
        return
    yield f"# HELP {metric.name} {_escape(metric.help)}"
    yield f"# TYPE {metric.name} {metric.type}"
    for sample in metric.samples:
        yield f"{sample.name}{_labels(sample)} {_number(sample.value)}"


def _labels(sample: Sample) -> str:
    if not sample.labels:
        return ""
    pairs = (f'{name}="{_quote(value)}"' for name, value in sample.labels)
    return f"{{{','.join(pairs)}}}"


def _number(value: float) -> str:
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return str(int(value)) if value.is_integer() else repr(value)


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _quote(text: str) -> str:
    return _escape(text).replace('"', '\\"')
