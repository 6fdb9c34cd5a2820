"""How many answers are written at once, whether they are kept or not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.translation import gettext

from devrag.core.errors import Conflict

# As many as two cores answer while pages keep their speed.
MAX_RUNNING = 50
_lock = threading.Lock()  # answers for REST have event loops in several threads
_running = 0


class TooManyRunning(Conflict):
    """More answers at once than are written."""

    default_permanent = False


@contextmanager
def running_answer() -> Iterator[None]:
    """Count an answer of this process while it is written. Raises TooManyRunning."""
    global _running
    with _lock:
        if _running >= MAX_RUNNING:
            raise too_many_running()
        _running += 1
    try:
        yield
    finally:
        with _lock:
            _running -= 1


def too_many_running() -> TooManyRunning:
    """Return why an answer is not begun now."""
    return TooManyRunning(
        gettext(
            "%(most)s questions are being answered at the moment. Try again in a "
            "minute."
        )
        % {"most": MAX_RUNNING}
    )
