"""`follower`: keep this host's lexical index up to date; run by the supervisor."""

from __future__ import annotations

import re
import signal
from typing import Any

import psycopg
import structlog
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection

from devrag.core.errors import Conflict
from devrag.core.unavailable import DATABASE_FAILURES
from devrag.search.lexical.follower import CHANNEL, catch_up

log = structlog.get_logger("devrag.search")
# Without a notification it looks by itself, so that a lost one costs no more.
_IDLE_SECONDS = 2.0
_RETRY_SECONDS = 0.5
# A pass that fails for good (a full disk) may begin a large build anew each time.
_MAX_RETRY_SECONDS = 30.0
# Segments of the index have random names.
_SEGMENT = re.compile(r"[0-9a-f]{32}")


class Command(BaseCommand):
    """Apply activations to the lexical index until told to stop."""

    # They would load every view into a process that has no use for one.
    requires_system_checks = ()
    help = (
        "Keep this host's keyword index up to date (run by the server). Example: "
        "devrag follower --once"
    )

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--once", action="store_true", help="Update once, then exit."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["once"]:
            catch_up(settings.LEXICAL_DIR)
            return
        self._follow()

    def _follow(self) -> None:
        stopping = _StopSignal()
        failures = _Failures()
        while not stopping.is_set:
            try:
                _pass_and_wait()
                failures = _Failures()
            except DATABASE_FAILURES as error:
                failures.report("database unreachable, trying again", error)
                connection.close()
                stopping.wait(_RETRY_SECONDS)
            except (ValueError, OSError) as error:
                # tantivy says ValueError for a broken index; the next pass rebuilds.
                # A folder that is deleted meanwhile is made again as well.
                failures.report("lexical pass failed, trying again", error)
                stopping.wait(failures.next_delay_seconds())
            except Conflict as error:
                failures.report("this follower waits", error)
                stopping.wait(_RETRY_SECONDS)


class _Failures:
    """Passes that failed since the last one that did not."""

    def __init__(self) -> None:
        self._reported = ""
        self._delay_seconds = _RETRY_SECONDS

    def report(self, event: str, error: Exception) -> None:
        """Log a failure unless it is the same as the one before."""
        text = str(error)
        reported = f"{event}: {_SEGMENT.sub('', text)}"
        if reported != self._reported:
            self._reported = reported
            log.warning(event, error=text)

    def next_delay_seconds(self) -> float:
        """Return how long to wait; twice as long each time, up to a limit."""
        delay = self._delay_seconds
        self._delay_seconds = min(2 * delay, _MAX_RETRY_SECONDS)
        return delay


def _pass_and_wait() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"LISTEN {CHANNEL}")
    done = catch_up(settings.LEXICAL_DIR)
    if done.sources:
        log.info("lexical index is up to date", **_figures(done))
    native: psycopg.Connection[Any] = connection.connection
    for _ in native.notifies(timeout=_IDLE_SECONDS, stop_after=1):
        return


def _figures(done: Any) -> dict[str, int]:
    return {
        "sources": done.sources,
        "added": done.files_added,
        "removed": done.files_removed,
    }


class _StopSignal:
    """SIGTERM and SIGINT end the loop between two passes."""

    def __init__(self) -> None:
        self.is_set = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)

    def _stop(self, *_: Any) -> None:
        self.is_set = True
        raise SystemExit(0)

    def wait(self, seconds: float) -> None:
        """Sleep; a signal ends it at once."""
        signal.sigtimedwait([], seconds)
