"""Ask a model again when that may help: three times, as long apart as it wants."""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog

from devrag.core.errors import DevragError
from devrag.llm.chat import Completion

log = structlog.get_logger("devrag.chat")
_PAUSES_SECONDS = (1.0, 5.0, 20.0)
# Who wants to be left alone for longer is not waited for with a worker in hand.
_LONGEST_WAIT_SECONDS = 60.0
Pause = Callable[[float], None]


def ask_patiently(
    ask: Callable[[], Completion], *, pause: Pause = time.sleep
) -> Completion:
    """Return what a call brings; the last failure is raised.

    pause: waits so many seconds.
    """
    for usual in _PAUSES_SECONDS:
        try:
            return ask()
        except DevragError as error:
            wanted = getattr(error, "retry_after_seconds", 0.0)
            if error.permanent or wanted > _LONGEST_WAIT_SECONDS:
                raise
            seconds = wanted or usual
            log.warning("asking again", error=error.message, seconds=seconds)
        pause(seconds)
    return ask()
