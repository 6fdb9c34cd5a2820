"""A batch that hangs ends its process: it is then lost, and given again or halved.

faulthandler's timer is a thread of C, so that it fires even while an endless loop in
a parser holds the interpreter; the worker's log gets the place where it hung.
"""

from __future__ import annotations

import faulthandler
import time
from collections.abc import Iterator
from contextlib import contextmanager

_STDERR = 2  # a worker's sys.stderr may be an object without a file
# Each new timer is a new thread; a limit is minutes, so that a second is no loss.
_REARM_SECONDS = 1.0
_limit_seconds: list[float] = []
_armed_at = 0.0


@contextmanager
def watched(limit_seconds: float) -> Iterator[None]:
    """End this process when what is within says nothing for that long."""
    _limit_seconds.append(limit_seconds)
    _arm()
    try:
        yield
    finally:
        _limit_seconds.pop()
        faulthandler.cancel_dump_traceback_later()


def prolong() -> None:
    """Begin the time anew: something moved. Cheap enough for inner loops."""
    if _limit_seconds and time.monotonic() - _armed_at >= _REARM_SECONDS:
        _arm()


def _arm() -> None:
    global _armed_at
    _armed_at = time.monotonic()
    faulthandler.dump_traceback_later(_limit_seconds[-1], exit=True, file=_STDERR)
