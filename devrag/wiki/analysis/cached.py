"""Keeps what is found out about an analysis for as long as the analysis is used."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar, cast

from devrag.wiki.analysis.analysis import Analysis

P = ParamSpec("P")
T = TypeVar("T")


def cached_by_analysis(find: Callable[P, T]) -> Callable[P, T]:
    """Compute a pure function of an analysis and hashable values once for each.

    The values are kept with the analysis and go with it, also those that refer to it;
    positional arguments only.
    """

    @wraps(find)
    def found(*args: P.args, **kwargs: P.kwargs) -> T:
        analysis, *rest = args
        values = cast("Analysis", analysis).found
        key = (find, *rest)
        if key not in values:
            values[key] = find(*args, **kwargs)
        return cast("T", values[key])

    return found
