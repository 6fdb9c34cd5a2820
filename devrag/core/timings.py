"""Measure where the time of a piece of work goes, for whoever asked to know.

`timed` costs nothing to speak of where nobody measures. Threads that are started
meanwhile are not measured.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
# Seconds by name, of the present measurement.
_spent: ContextVar[Counter[str] | None] = ContextVar("spent", default=None)
MILLISECONDS = "Milliseconds"


@contextmanager
def measuring() -> Iterator[Counter[str]]:
    """Collect the seconds that `timed` blocks inside take, by name."""
    spent: Counter[str] = Counter()
    token = _spent.set(spent)
    try:
        yield spent
    finally:
        _spent.reset(token)


@contextmanager
def timed(name: str) -> Iterator[None]:
    """Add the seconds of a block to the present measurement."""
    spent = _spent.get()
    if spent is None:
        yield
        return
    began = time.perf_counter()
    try:
        yield
    finally:
        spent[name] += time.perf_counter() - began  # type: ignore[assignment]


def measured(
    run: Callable[P, Mapping[str, Any]],
) -> Callable[P, Mapping[str, Any]]:
    """Add `<name>Milliseconds` of each `timed` name to the result of a function."""

    @wraps(run)
    def wrapper(*args: P.args, **options: P.kwargs) -> Mapping[str, Any]:
        with measuring() as spent:
            result = run(*args, **options)
        times = {f"{name}{MILLISECONDS}": s * 1000 for name, s in spent.items()}
        return {**result, **{name: round(ms, 1) for name, ms in times.items()}}

    return wrapper


def timed_items(items: Iterable[T]) -> Iterator[tuple[T, float]]:
    """Yield each item with the milliseconds that it took to come."""
    iterator = iter(items)
    while True:
        began = time.perf_counter()
        try:
            item = next(iterator)
        except StopIteration:
            return
        yield item, (time.perf_counter() - began) * 1000
