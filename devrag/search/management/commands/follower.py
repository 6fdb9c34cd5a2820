"""`follower`: keep this host's lexical index up to date; run by the supervisor."""

from __future__ import annotations

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


class Command(BaseCommand):
    """Apply activations to the lexical index until told to stop."""

    # They would load every view into a process that has no use for one.
    requires_system_checks = ()
    help = (
        "Keep this host's keyword index up to date (the server runs it). "
        "Example: devrag follower --once"
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
        while not stopping.is_set:
            try:
                _pass_and_wait()
            except DATABASE_FAILURES as error:
                log.warning("database unreachable, trying again", error=str(error))
                connection.close()
                stopping.wait(_RETRY_SECONDS)
            except (ValueError, OSError) as error:
                # tantivy says ValueError for a broken index; the next pass rebuilds.
                # A folder that is deleted meanwhile is made again as well.
                log.warning("lexical pass failed, trying again", error=str(error))
                stopping.wait(_RETRY_SECONDS)
            except Conflict as error:
                log.warning("this follower waits", error=error.message)
                stopping.wait(_RETRY_SECONDS)


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
