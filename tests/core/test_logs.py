"""Logging that is set up more than once in a process."""

from __future__ import annotations

import structlog
from django.conf import settings
from structlog.testing import capture_logs

from devrag.core.logs import configure_logging


def test_a_logger_in_use_stays_in_step_when_logging_is_set_up_again() -> None:
    log = structlog.get_logger("devrag.tests")
    log.info("first use")
    configure_logging(settings.LOGGING)
    with capture_logs() as entries:
        log.info("second use")
    assert [entry["event"] for entry in entries] == ["second use"]
