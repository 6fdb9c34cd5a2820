"""The watchdog of a batch: how often its timer is set anew."""

from __future__ import annotations

import faulthandler

import pytest

from devrag.core.watchdog import prolong, watched


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the limits of the timers that are started, none of which runs."""
    started: list[float] = []

    def start(limit: float, **_options: object) -> None:
        started.append(limit)

    monkeypatch.setattr(faulthandler, "dump_traceback_later", start)
    return started


def test_inner_loops_start_few_timers(timers: list[float]) -> None:
    with watched(300.0):
        for _ in range(10_000):
            prolong()
    assert timers[0] == 300.0
    assert len(timers) < 100


def test_nothing_is_timed_outside_a_batch(timers: list[float]) -> None:
    prolong()
    assert timers == []
