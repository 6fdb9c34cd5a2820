"""Where a question meets the database: a few threads, so that pages keep theirs."""

from __future__ import annotations

from devrag.core.threads import DatabaseThreads

in_thread = DatabaseThreads("ask", 4).run
