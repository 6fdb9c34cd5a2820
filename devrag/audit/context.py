"""Where what happens now comes from: entry point, address, request and caller.

The middleware of the web, the MCP application and the engine of jobs bind it; what is
not bound is a command that somebody runs on this machine.
"""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache
from uuid import uuid4

from django.db import models

from devrag.core.principal import Principal


class Entry(models.TextChoices):
    """How it came in."""

    WEB = "web"
    API = "api"
    MCP = "mcp"
    COMMAND = "command"
    JOB = "job"


@dataclass(frozen=True, slots=True)
class Origin:
    """address: of the client, '' where there is none. request_id: of request or job.

    caller: None where nobody in particular has asked.
    """

    entry: Entry
    address: str = ""
    request_id: str = ""
    caller: Principal | None = None


_origin: ContextVar[Origin | None] = ContextVar("audit_origin", default=None)


@contextmanager
def bound_origin(origin: Origin) -> Iterator[None]:
    """Let what happens within come from there."""
    before = _origin.set(origin)
    try:
        yield
    finally:
        _origin.reset(before)


def bind_origin(origin: Origin) -> None:
    """Let what happens from now on, in this process or task, come from there."""
    _origin.set(origin)


def bind_caller(caller: Principal) -> None:
    """Say who has made the request at hand, once that is known."""
    _origin.set(replace(current_origin(), caller=caller))


def current_origin() -> Origin:
    """Return what is bound, else that of a command."""
    return _origin.get() or Origin(Entry.COMMAND, request_id=_run_id())


@lru_cache(maxsize=1)
def os_user() -> str:
    """Return the name of the operating system's user that runs this process."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a number without a name, as in some containers
        return "unknown"


@lru_cache(maxsize=1)
def _run_id() -> str:
    """Return one id for all that a command does."""
    return uuid4().hex
