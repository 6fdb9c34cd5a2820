"""The id that joins the log lines of a request, its jobs and their model calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from structlog.contextvars import bound_contextvars, get_contextvars

# A proxy's own id is kept if it cannot be mistaken for something else in a log.
_GIVEN = re.compile(r"[A-Za-z0-9._-]{8,64}")
MAX_LENGTH = 64


def current_request_id() -> str:
    """Return the id that is bound here, or ''."""
    return str(get_contextvars().get("request_id", ""))


def choose_request_id(given: str) -> str:
    """Return the caller's id, or a new one where it is none."""
    return given if _GIVEN.fullmatch(given) else uuid4().hex


@contextmanager
def bound_request_id(request_id: str, **more: str) -> Iterator[None]:
    """Put the id, and what else is given, on all log lines within."""
    with bound_contextvars(request_id=request_id, **more):
        yield
