"""Failures of the database and the broker as one expected error, at every entry point.

A connection may be lost at any statement: the server restarts, a backend is killed,
the pool has none left. Entry points pass what they catch through `to_unavailable`.
"""

from __future__ import annotations

import math

import psycopg
from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext

from devrag.core.errors import DevragError, ServiceUnavailable

# Django wraps what its own cursors raise; prepared cursors and pools raise psycopg's.
DATABASE_FAILURES = (
    OperationalError,
    InterfaceError,
    psycopg.OperationalError,
    psycopg.InterfaceError,
)
# Statements that a limit of time ended; the database itself answers.
_TOO_LATE = (psycopg.errors.QueryCanceled, psycopg.errors.LockNotAvailable)
_DEFAULT_RETRY_SECONDS = 5.0


def to_unavailable(error: BaseException | None) -> ServiceUnavailable | None:
    """Return the expected error for a service that failed; None for other errors."""
    if isinstance(error, ServiceUnavailable):
        return error
    if isinstance(error, DATABASE_FAILURES):
        return describe_database_failure(error)
    if _is_of_broker(error):
        return ServiceUnavailable(
            gettext("The message broker is not responding. Try again in a few seconds.")
        )
    return None


def _is_of_broker(error: BaseException | None) -> bool:
    """Return whether the client of the broker raised it.

    By the name of its package, which would cost each command a tenth of a second.
    """
    kinds = type(error).__mro__
    return any(kind.__module__.partition(".")[0] == "redis" for kind in kinds)


def describe_database_failure(error: BaseException) -> ServiceUnavailable:
    """Return the expected error for one of DATABASE_FAILURES."""
    if isinstance(error, _TOO_LATE) or isinstance(error.__cause__, _TOO_LATE):
        return ServiceUnavailable(
            gettext("The database did not respond in time. Try again in a few seconds.")
        )
    return ServiceUnavailable(
        gettext("The database is not responding. Try again in a few seconds.")
    )


def retry_after(error: DevragError) -> str:
    """Return the value of Retry-After for an answer of status 503 or 429, else ''."""
    seconds = getattr(error, "retry_after_seconds", 0.0)
    if not seconds and error.http_status == 503:
        seconds = _DEFAULT_RETRY_SECONDS
    return str(math.ceil(seconds)) if seconds else ""
