"""Intervals and pauses of schedules: pure arithmetic, and who may set them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from devrag.core.errors import InvalidInput, PermissionDenied
from devrag.core.principal import SYSTEM
from devrag.sources.models import Source
from devrag.sources.schedule import (
    MAX_MINUTES,
    next_time,
    note_failure,
    note_success,
    pause_between,
    set_schedule,
)
from tests.people import People, principal

DAY = timedelta(days=1)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MINUTES = st.integers(1, MAX_MINUTES)


@given(MINUTES, st.integers(0, 10_000))
def test_a_pause_lies_between_the_interval_and_a_day(every: int, failures: int) -> None:
    interval = timedelta(minutes=every)
    assert interval <= pause_between(every, failures) <= max(interval, DAY)


@pytest.mark.parametrize(
    ("failures", "minutes"), [(0, 10), (1, 20), (2, 40), (7, 1280), (8, 1440)]
)
def test_each_failure_doubles_the_pause(failures: int, minutes: int) -> None:
    assert pause_between(10, failures) == timedelta(minutes=minutes)


def test_a_weekly_source_stays_weekly() -> None:
    assert pause_between(7 * 1440, 5) == timedelta(days=7)


@given(
    st.timedeltas(-DAY, 400 * DAY), st.timedeltas(timedelta(minutes=1), timedelta(30))
)
def test_the_next_time_is_the_first_after_now(
    late: timedelta, pause: timedelta
) -> None:
    found = next_time(NOON, NOON + late, pause)
    assert found > NOON + late
    assert (found - NOON) % pause == timedelta()
    assert found == NOON or found - pause <= NOON + late


@pytest.mark.parametrize("every", [0, -1, MAX_MINUTES + 1])
def test_an_impossible_interval_is_refused(people: People, every: int) -> None:
    with pytest.raises(InvalidInput, match="minutes"):
        set_schedule(principal=SYSTEM, source=people.source, every_minutes=every)


@pytest.mark.parametrize("name", ["bob", "charlie"])
def test_only_maintainers_set_a_schedule(people: People, name: str) -> None:
    with pytest.raises(PermissionDenied, match="maintainer"):
        set_schedule(
            principal=principal(getattr(people, name)),
            source=people.source,
            every_minutes=60,
        )


def scheduled(people: People, every: int | None) -> Source:
    alice = principal(people.alice)
    return set_schedule(principal=alice, source=people.source, every_minutes=every)


def test_a_schedule_begins_after_its_first_interval(people: People) -> None:
    before = timezone.now()
    source = scheduled(people, 60)
    assert source.next_index_at is not None
    assert timedelta(minutes=59) < source.next_index_at - before
    assert source.next_index_at - before < timedelta(minutes=61)


def test_setting_the_same_interval_again_moves_nothing(people: People) -> None:
    # A tool that sets it every few minutes must not put the run off for ever.
    first = scheduled(people, 60).next_index_at
    assert scheduled(people, 60).next_index_at == first


def test_a_schedule_can_be_taken_away(people: People) -> None:
    scheduled(people, 60)
    source = scheduled(people, None)
    assert (source.index_every_minutes, source.next_index_at) == (None, None)


def test_a_failure_puts_the_next_run_off_and_says_why(people: People) -> None:
    scheduled(people, 60)
    for _ in range(2):
        note_failure(source_id=people.source.pk, reason="The host is gone.")
    people.source.refresh_from_db()
    assert people.source.index_error == "The host is gone."
    assert people.source.next_index_at is not None
    wait = people.source.next_index_at - timezone.now()
    assert timedelta(minutes=239) < wait < timedelta(minutes=241)


def test_a_success_returns_to_the_interval(people: People) -> None:
    scheduled(people, 60)
    note_failure(source_id=people.source.pk, reason="The host is gone.")
    note_success(source_id=people.source.pk)
    people.source.refresh_from_db()
    assert (people.source.index_failures, people.source.index_error) == (0, "")
    assert people.source.next_index_at is not None
    assert people.source.next_index_at - timezone.now() < timedelta(minutes=61)


def test_a_source_without_schedule_only_remembers_the_failure(people: People) -> None:
    note_failure(source_id=people.source.pk, reason="The host is gone.")
    people.source.refresh_from_db()
    assert (people.source.index_failures, people.source.next_index_at) == (1, None)
