"""Calls run in threads; each gives its database connection back at its end."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import connection

P = ParamSpec("P")
T = TypeVar("T")


def with_own_connection(function: Callable[P, T]) -> Callable[P, T]:
    """Close the thread's connection after a call, to a pool where there is one."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        finally:
            connection.close()

    return call
