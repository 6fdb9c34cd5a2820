"""A wake never holds up who enqueues, whatever state the broker is in."""

from __future__ import annotations

import socket
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from celery import Celery, current_app
from structlog.testing import capture_logs

from devrag.jobs.notify import wake

PATIENCE_SECONDS = 2.0


@pytest.fixture
def use_broker() -> Iterator[Callable[[int], None]]:
    """Make Celery's current application one whose broker listens on that port."""
    before = current_app._get_current_object()
    yield lambda port: Celery(broker=f"redis://127.0.0.1:{port}/0").set_current()
    before.set_current()


def wake_seconds() -> float:
    """Wake several workers; the broker's silence must be noted, not raised."""
    began = time.monotonic()
    with capture_logs() as logs:
        wake(uuid.uuid4(), "tick", times=3)
    assert [entry["log_level"] for entry in logs] == ["warning"]
    return time.monotonic() - began


def test_a_broker_that_is_not_there_costs_no_time(
    use_broker: Callable[[int], None],
) -> None:
    use_broker(9)  # discard: refuses at once
    assert wake_seconds() < PATIENCE_SECONDS


def test_a_broker_that_does_not_answer_costs_little_time(
    use_broker: Callable[[int], None],
) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        use_broker(silent.getsockname()[1])
        assert wake_seconds() < PATIENCE_SECONDS
