"""Turns of requests to a server whose documentation limits them."""

from __future__ import annotations

from devrag.sources.connectors.pages.allowance import Pacer


def test_some_requests_go_at_once_and_then_so_many_a_second() -> None:
    pacer = Pacer(4, at_once=3, clock=lambda: 100.0)
    assert [pacer.take() for _ in range(6)] == [0, 0, 0, 0.25, 0.5, 0.75]


def test_a_pause_between_requests_gives_turns_back() -> None:
    now = 100.0
    pacer = Pacer(4, at_once=2, clock=lambda: now)
    assert [pacer.take() for _ in range(3)] == [0, 0, 0.25]
    now += 0.75
    assert [pacer.take() for _ in range(3)] == [0, 0, 0.25]
