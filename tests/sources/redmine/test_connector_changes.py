"""Runs after the first: only what changed is read, and nothing is lost."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.sources.pages.reading import Open, changes, later, texts
from tests.sources.redmine.reading import read_alone
from tests.sources.redmine.redmine_server import Tracker, fill


def test_a_run_without_changes_asks_for_seven_answers(
    tracker: Tracker, opened: Open
) -> None:
    fill(tracker, 230)
    tracker.page("A")
    connector = opened()
    before = connector.resolve().identifier
    later(tracker)
    assert connector.resolve().identifier == before
    assert read_alone(tracker) == []
    assert len(tracker.requests) == 7


def test_only_what_changed_is_read_again(tracker: Tracker, opened: Open) -> None:
    fill(tracker, 150)
    tracker.page("A")
    tracker.page("B")
    connector = opened()
    before = connector.resolve().identifier
    later(tracker)
    tracker.note(7, "New note")
    tracker.page("B", "Changed")
    new = tracker.issue("New")
    assert changes(connector, before) == (
        {"issues/7.md", f"issues/{new}.md", "wiki/B.md"},
        set(),
    )
    wanted = {"/issues/7", f"/issues/{new}", "/projects/shop/wiki/B"}
    assert set(read_alone(tracker)) == wanted
    assert len(read_alone(tracker)) == 3


def test_two_changes_within_one_second_are_both_read(
    tracker: Tracker, opened: Open
) -> None:
    made = tracker.issue("Odd")
    connector = opened()
    connector.resolve()
    tracker.note(made, "In the same second")
    assert "same second" in texts(connector)[f"issues/{made}.md"]
    later(tracker)
    connector.resolve()
    later(tracker)
    connector.resolve()
    assert read_alone(tracker) == []


@pytest.mark.slow
def test_many_issues_of_one_second_are_all_read(tracker: Tracker, opened: Open) -> None:
    for number in range(350):
        tracker.issue(f"Imported {number}")
    tracker.clock += timedelta(seconds=1)
    fill(tracker, 120)
    found = texts(opened())
    assert sum(path.startswith("issues/") for path in found) == 470
    assert len(read_alone(tracker)) == 470


@pytest.mark.slow
def test_an_issue_that_changes_while_issues_are_listed_shifts_no_other(
    tracker: Tracker, opened: Open
) -> None:
    fill(tracker, 350)
    tracker.clock += timedelta(minutes=1)

    def change_meanwhile(tracker: Tracker, path: str) -> None:
        if "/issues.json" in path and "updated_on=%3E" in path:
            tracker.edit(1, subject="Changed")
            tracker.faults.clear()

    tracker.faults = [change_meanwhile]
    found = texts(opened())
    assert sum(path.startswith("issues/") for path in found) == 350


@pytest.mark.parametrize("days", [-800, 800])
def test_a_clock_far_from_ours_loses_nothing(
    tracker: Tracker, opened: Open, days: int
) -> None:
    tracker.clock += timedelta(days=days)
    tracker.issue("Old")
    connector = opened()
    connector.resolve()
    later(tracker, minutes=1)
    made = tracker.issue("New")
    assert f"issues/{made}.md" in texts(connector)


def test_a_change_of_the_future_hides_no_other(tracker: Tracker, opened: Open) -> None:
    tracker.issue("Imported", updated_on="2099-01-01T00:00:00Z")
    connector = opened()
    connector.resolve()
    later(tracker)
    made = tracker.issue("New")
    assert f"issues/{made}.md" in texts(connector)


def test_a_clock_that_went_back_has_everything_listed(
    tracker: Tracker, opened: Open
) -> None:
    first, second = tracker.issue("Old"), tracker.issue("Old too")
    connector = opened()
    connector.resolve()
    later(tracker, days=-30)
    tracker.edit(first, subject="Restored")
    del tracker.issues[second]
    found = texts(connector)
    assert "Restored" in found[f"issues/{first}.md"]
    assert f"issues/{second}.md" not in found
