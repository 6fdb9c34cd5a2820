"""Later runs read what changed alone; what is gone goes, and nothing is lost."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.sources.gitlab.gitlab_server import Lab, fill
from tests.sources.pages.reading import Open, changes, later, texts


def notes_read(lab: Lab) -> set[str]:
    return {path for path in lab.kinds_of_requests() if path.endswith("/notes")}


def test_a_run_without_changes_costs_next_to_nothing(lab: Lab, opened: Open) -> None:
    fill(lab, 700)
    lab.clock += timedelta(hours=1)
    connector = opened()
    before = connector.resolve().identifier
    first = len(lab.requests)
    later(lab)
    assert connector.resolve().identifier == before
    assert len(lab.requests) == 3 <= first / 100


def test_only_what_changed_is_read_again(lab: Lab, opened: Open) -> None:
    fill(lab, 150)
    connector = opened()
    before = connector.resolve().identifier
    later(lab)
    lab.edit("issues", 8, title="Renamed")
    lab.note("merge_requests", 8, "New")
    new = lab.issue("New")
    assert changes(connector, before) == (
        {"issues/8.md", "merge_requests/8.md", f"issues/{new}.md"},
        set(),
    )
    assert notes_read(lab) <= {"issues/8/notes", "merge_requests/8/notes"}


def test_what_is_counted_elsewhere_reads_nothing_anew(lab: Lab, opened: Open) -> None:
    made = lab.issue("Liked")
    lab.note("issues", made, "Said")
    connector = opened()
    before = connector.resolve().identifier
    later(lab, hours=25)
    lab.issues[made] |= {"upvotes": 3, "merge_requests_count": 1}
    assert connector.resolve().identifier == before
    assert notes_read(lab) == set()


def test_many_tickets_of_one_time_are_all_read(lab: Lab, opened: Open) -> None:
    for number in range(350):
        lab.issue(f"Imported {number}")
    lab.clock += timedelta(seconds=1)
    fill(lab, 120)
    assert len(texts(opened())) == 470


@pytest.mark.slow
def test_a_ticket_that_changes_while_they_are_listed_shifts_no_other(
    lab: Lab, opened: Open
) -> None:
    fill(lab, 450)
    lab.clock += timedelta(minutes=1)

    def change_meanwhile(lab: Lab, path: str) -> None:
        if "/issues?" in path and "updated_after=" in path:
            lab.edit("issues", 1, title="Changed")
            lab.faults.clear()

    lab.faults = [change_meanwhile]
    found = texts(opened())
    assert len(found) == 450
    assert "Changed" in found["issues/1.md"]


@pytest.mark.parametrize("days", [-800, 800])
def test_a_clock_far_from_ours_loses_nothing(lab: Lab, opened: Open, days: int) -> None:
    lab.clock += timedelta(days=days)
    lab.issue("Old")
    connector = opened()
    connector.resolve()
    later(lab, minutes=1)
    made = lab.issue("New")
    assert f"issues/{made}.md" in texts(connector)


def test_a_change_of_the_future_hides_no_other(lab: Lab, opened: Open) -> None:
    lab.issue("Imported", updated_at="2099-01-01T00:00:00.000Z")
    connector = opened()
    connector.resolve()
    later(lab)
    made = lab.issue("New")
    assert f"issues/{made}.md" in texts(connector)


# -- what is gone --


def test_what_is_deleted_goes_with_the_next_listing(lab: Lab, opened: Open) -> None:
    fill(lab, 150)
    connector = opened()
    before = connector.resolve().identifier
    del lab.issues[7], lab.merge_requests[7]
    later(lab)
    assert changes(connector, before) == (set(), set())
    later(lab, hours=25)
    gone = {"issues/7.md", "merge_requests/7.md"}
    assert changes(connector, before) == (set(), gone)


def test_one_that_is_deleted_while_it_is_read_is_left_out(
    lab: Lab, opened: Open
) -> None:
    made = lab.issue("Short")
    lab.note("issues", made, "Said")
    lab.faults = [lambda _, path: (404, {}, {}) if "/notes" in path else None]
    assert texts(opened()) == {}


def test_tickets_that_a_listing_missed_are_not_lost(lab: Lab, opened: Open) -> None:
    for number in range(250):
        lab.issue(f"Imported {number}")
    connector = opened()
    connector.resolve()
    later(lab, hours=25)

    def delete_meanwhile(lab: Lab, path: str) -> None:
        if "page=2" in path:
            lab.issues.pop(1, None)

    lab.faults = [delete_meanwhile]
    found = texts(connector)
    # The one at the border of two answers was in neither; it is asked for by number.
    there = {f"issues/{each}.md" for each in lab.issues}
    assert there <= found.keys()
    later(lab, hours=25)
    assert texts(connector).keys() == there


def test_a_deleted_note_goes_with_the_next_listing(lab: Lab, opened: Open) -> None:
    made = lab.issue("Talk")
    lab.note("issues", made, "A secret")
    connector = opened()
    assert "A secret" in texts(connector)[f"issues/{made}.md"]
    lab.notes.clear()
    lab.issues[made]["user_notes_count"] = 0  # its time stays as it was
    later(lab, hours=25)
    assert "A secret" not in texts(connector)[f"issues/{made}.md"]
