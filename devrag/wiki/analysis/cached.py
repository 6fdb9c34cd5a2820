"""Keeps what is found out about an analysis for as long as the analysis is used."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary

from devrag.wiki.analysis.analysis import Analysis

P = ParamSpec("P")
T = TypeVar("T")


def cached_by_analysis(find: Callable[P, T]) -> Callable[P, T]:
    """Compute a pure function of an analysis and hashable values once for each.

    The values go with the analysis; positional arguments only.
    """
    known: WeakKeyDictionary[Analysis, dict[tuple[Any, ...], T]] = WeakKeyDictionary()

    @wraps(find)
    def found(*args: P.args, **kwargs: P.kwargs) -> T:
        analysis, *rest = args
        values = known.setdefault(cast("Analysis", analysis), {})
        key = tuple(rest)
        if key not in values:
            values[key] = find(*args, **kwargs)
        return values[key]

    return found
