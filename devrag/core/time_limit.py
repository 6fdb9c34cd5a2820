"""A limit of time for what somebody waits for: one deadline, and statements obey it.

`time_limit` begins it; what is done within asks `remaining_seconds` before it waits for
something, and every statement on this thread's connection ends at the deadline.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

import psycopg
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.utils.translation import gettext

from devrag.core.errors import ServiceUnavailable

# A statement may begin with so much more than is left: setting it costs a round trip.
_TOLERANCE_SECONDS = 0.25
_CANCELED = psycopg.errors.QueryCanceled


class TimeLimitExceeded(ServiceUnavailable):
    """It was not done in time."""


class _Limit:
    """The limit of one connection; deadlines are of time.monotonic()."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        # Seconds that the session allows each statement; None: must be set again.
        self._allowed: float | None = None
        self._was_set = False

    def __call__(
        self,
        execute: Callable[..., Any],
        sql: Any,
        params: Any,
        many: Any,
        context: Any,
    ) -> Any:
        """Run a statement with what is left as its limit (an execute wrapper)."""
        if not _ends_savepoint(sql):
            self._limit_session()
        try:
            return execute(sql, params, many, context)
        except Exception as error:
            self._allowed = None  # a rollback undoes what its transaction has set
            cause = error.__cause__
            if isinstance(error, OperationalError) and isinstance(cause, _CANCELED):
                raise _exceeded() from error
            raise

    def replace_deadline(self, deadline: float) -> float:
        """Set another deadline; return the one before."""
        before, self.deadline, self._allowed = self.deadline, deadline, None
        return before

    def reset(self) -> None:
        """Give the session its own limit back."""
        if self._was_set and connection.connection is not None:
            # Else the connection is lost, or its transaction failed and is undone.
            with suppress(DatabaseError, InterfaceError):
                self._set("RESET statement_timeout")

    def _limit_session(self) -> None:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise _exceeded()
        is_far = self._allowed is None or abs(self._allowed - left) > _TOLERANCE_SECONDS
        if is_far and not math.isinf(left):
            self._was_set = True
            self._set(f"SET statement_timeout = {max(1, round(left * 1000))}")
            self._allowed = left

    def _set(self, statement: str) -> None:
        """Run a statement past the wrappers, with Django's errors all the same."""
        with connection.wrap_database_errors:
            connection.connection.execute(statement)


def _ends_savepoint(sql: Any) -> bool:
    """Return whether it must be done in any case, as Django counts on it."""
    return isinstance(sql, str) and sql.startswith(("RELEASE ", "ROLLBACK "))


_current: ContextVar[_Limit | None] = ContextVar("time_limit", default=None)


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Let what is within end in time; None: no limit but that around it.

    A statement that takes too long, and each after the deadline, raises
    TimeLimitExceeded.
    """
    outer = _current.get()
    if seconds is None:
        yield
        return
    deadline = time.monotonic() + seconds
    if outer is not None:
        before = outer.replace_deadline(min(deadline, outer.deadline))
        try:
            yield
        finally:
            outer.replace_deadline(before)
        return
    limit = _Limit(deadline)
    token = _current.set(limit)
    try:
        with connection.execute_wrapper(limit):
            yield
    finally:
        _current.reset(token)
        limit.reset()


def remaining_seconds() -> float | None:
    """Return what is left, at least 0; None without a limit."""
    limit = _current.get()
    return None if limit is None else max(0.0, limit.deadline - time.monotonic())


def _exceeded() -> TimeLimitExceeded:
    return TimeLimitExceeded(
        gettext(
            "The request took too long and was stopped. Try again in a few seconds, "
            "or narrow it down to one product, source, path or language."
        )
    )
