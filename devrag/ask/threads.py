"""Where a question meets the database: a few threads, so that pages keep theirs."""

from __future__ import annotations

import threading
import time

from devrag.ask.limits import count_running
from devrag.core.foreground import web_requests
from devrag.core.threads import DatabaseThreads

# From so many answers on pages go first. A thread waits for them so long at a time, and
# then works as long at least, so that answers take twice their time at most.
_MANY, _PAUSE_SECONDS = 3, 0.05
_worked = threading.local()


def _let_pages_pass() -> None:
    if count_running() < _MANY or time.monotonic() < getattr(_worked, "until", 0.0):
        return
    web_requests.let_pass(_PAUSE_SECONDS)
    _worked.until = time.monotonic() + _PAUSE_SECONDS


# What searches takes a second of mostly Python. More of these would not answer sooner,
# since threads of a process compute one at a time, and would take that time from pages.
_search_threads = DatabaseThreads("ask-search", 2, _let_pages_pass)
in_search_thread = _search_threads.run
# For what takes milliseconds and must not wait for those: claims, signs of life, ends,
# checks of a sentence.
_threads = DatabaseThreads("ask", 2)
in_thread = _threads.run
in_thread_to_end = _threads.run_to_end
