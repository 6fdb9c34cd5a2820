from __future__ import annotations

from devrag.runtime.backoff import Backoff


def test_a_first_death_costs_no_delay_and_later_ones_double_up_to_ten_seconds() -> None:
    backoff = Backoff()
    backoff.started()
    assert [backoff.died() for _ in range(8)] == [0, 0.5, 1, 2, 4, 8, 10, 10]


def test_a_process_waits_for_its_delay() -> None:
    backoff = Backoff()
    assert backoff.is_due()
    backoff.started()
    backoff.died()
    assert backoff.is_due()
    backoff.died()
    assert not backoff.is_due()
