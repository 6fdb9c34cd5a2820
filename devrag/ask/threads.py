"""Where a question meets the database: a few threads, so that pages keep theirs."""

from __future__ import annotations

from devrag.core.threads import DatabaseThreads

_threads = DatabaseThreads("ask", 4)
in_thread = _threads.run
in_thread_to_end = _threads.run_to_end
