"""What is deleted, moved, renamed or made private goes, with its files."""

from __future__ import annotations

from datetime import timedelta

import pytest

from devrag.core.errors import PermissionDenied
from devrag.sources.connectors import Credentials
from tests.sources.pages.reading import Open, changes, later, texts, unlisted
from tests.sources.redmine.reading import read_alone
from tests.sources.redmine.records import named
from tests.sources.redmine.redmine_server import Tracker, fill


def test_an_issue_that_is_deleted_goes_with_its_files(
    tracker: Tracker, opened: Open
) -> None:
    fill(tracker, 150)
    tracker.attach(tracker.issues[7], "a.txt", b"a")
    connector = opened()
    before = connector.resolve().identifier
    later(tracker)
    del tracker.issues[7]
    assert changes(connector, before) == (set(), {"issues/7.md", "issues/7/a.txt"})
    assert read_alone(tracker) == []


def test_one_that_is_deleted_while_another_is_made_goes_too(
    tracker: Tracker, opened: Open
) -> None:
    fill(tracker, 3)
    connector = opened()
    connector.resolve()
    later(tracker)
    del tracker.issues[1]
    tracker.issue("New")
    assert "issues/1.md" not in texts(connector)


@pytest.mark.slow
def test_issues_that_shift_while_they_are_listed_are_not_lost(
    tracker: Tracker, opened: Open
) -> None:
    for number in range(250):
        tracker.issue(f"Imported {number}")
    connector = opened()
    connector.resolve()
    later(tracker, hours=25)

    def delete_meanwhile(tracker: Tracker, path: str) -> None:
        if "offset=100" in path:
            tracker.issues.pop(1, None)

    tracker.faults = [delete_meanwhile]
    found = texts(connector)
    # The one at the border of two answers was in neither; it is asked for by number.
    assert {f"issues/{each}.md" for each in tracker.issues} <= found.keys()
    later(tracker)
    assert "issues/1.md" not in texts(connector)


def test_files_go_with_their_issue_and_page(tracker: Tracker, opened: Open) -> None:
    made = tracker.issue("Guide")
    tracker.page("Guide")
    for owner in (tracker.issues[made], tracker.pages["Guide"]):
        tracker.attach(owner, "a.txt", b"a")
        tracker.attach(owner, "b.txt", b"b")
    connector = opened()
    before = connector.resolve().identifier
    later(tracker)
    tracker.edit(made, attachments=tracker.issues[made]["attachments"][1:])
    page = tracker.pages["Guide"]
    page["attachments"] = page["attachments"][1:]
    assert changes(connector, before)[1] == {f"issues/{made}/a.txt"}
    later(tracker, days=1)  # files change no version of a page
    gone = {f"issues/{made}/a.txt", "wiki/Guide/a.txt"}
    assert changes(connector, before)[1] == gone
    del tracker.pages["Guide"]
    later(tracker)
    gone |= {"wiki/Guide.md", "wiki/Guide/b.txt"}
    assert changes(connector, before)[1] == gone


def test_a_renamed_page_takes_along_what_lies_below(
    tracker: Tracker, opened: Open
) -> None:
    tracker.page("Before")
    tracker.page("Below", parent="Before")
    tracker.attach(tracker.pages["Below"], "a.txt", b"a")
    connector = opened()
    before = connector.resolve().identifier
    later(tracker)
    tracker.pages["After"] = {**tracker.pages.pop("Before"), "title": "After"}
    tracker.pages["Below"]["parent"] = {"title": "After"}
    entered, gone = changes(connector, before)
    assert gone == {
        *("wiki/Before.md", "wiki/Before/Below.md", "wiki/Before/Below/a.txt"),
    }
    assert entered == {path.replace("Before", "After") for path in gone}


def test_an_issue_that_moves_to_another_project_goes(
    tracker: Tracker, opened: Open
) -> None:
    made = tracker.issue("Moves")
    connector = opened()
    assert f"issues/{made}.md" in texts(connector)
    later(tracker)
    moved = tracker.issues.pop(made)
    assert f"issues/{made}.md" not in texts(connector)
    # Between the list and its own answer:
    later(tracker)
    tracker.issues[made] = moved | {"updated_on": tracker.now}

    def move(tracker: Tracker, path: str) -> None:
        if path.startswith(f"/issues/{made}"):
            tracker.edit(made, project={"id": 2, "name": "Other"})

    tracker.faults = [move]
    assert f"issues/{made}.md" not in texts(connector)


def test_an_issue_that_becomes_private_goes_with_its_files(
    tracker: Tracker, opened: Open
) -> None:
    made = tracker.issue("Plans")
    tracker.attach(tracker.issues[made], "plan.txt", b"plan")
    connector = opened()
    assert f"issues/{made}/plan.txt" in texts(connector)
    later(tracker)
    tracker.edit(made, is_private=True)
    assert set(texts(connector)) == {"project.md"}
    assert unlisted(connector) == {(f"issues/private/{made}.md", "private issue")}
    later(tracker)
    connector.resolve()
    assert read_alone(tracker) == []
    tracker.edit(made, is_private=False)
    assert f"issues/{made}/plan.txt" in texts(connector)


def test_an_issue_that_becomes_private_while_it_is_read_is_left_out(
    tracker: Tracker, opened: Open
) -> None:
    made = tracker.issue("Plans")

    def hide(tracker: Tracker, path: str) -> None:
        if path.startswith(f"/issues/{made}"):
            tracker.edit(made, is_private=True)

    tracker.faults = [hide]
    assert set(texts(opened())) == {"project.md"}


def test_a_note_that_becomes_private_goes_within_ten_days(
    tracker: Tracker, opened: Open
) -> None:
    """It changes no date of its issue."""
    made = [tracker.issue(f"Plans {number}") for number in range(7)]
    for number in made:
        tracker.note(number, "Salaries")
    tracker.issue("Without notes")
    tracker.clock += timedelta(minutes=1)
    connector = opened()
    connector.resolve()
    for number in made:
        tracker.issues[number]["journals"][0]["private_notes"] = True
    read = []
    for _ in range(10):
        later(tracker, hours=25)
        found = texts(connector)
        read += read_alone(tracker)
    assert not any("Salaries" in text for text in found.values())
    on_different_days = sorted(made, key=lambda number: number % 7)
    assert list(dict.fromkeys(read)) == [
        f"/issues/{each}" for each in on_different_days
    ]


def test_a_status_that_is_renamed_is_seen_within_a_day(
    tracker: Tracker, opened: Open
) -> None:
    made = tracker.issue("Odd")
    connector = opened()
    connector.resolve()
    tracker.issues[made]["status"] = {**named("Open"), "is_closed": False}
    later(tracker, hours=25)
    assert "- Status: Open" in texts(connector)[f"issues/{made}.md"]


def test_what_a_module_had_goes_with_it(tracker: Tracker, opened: Open) -> None:
    made = tracker.issue("Odd")
    tracker.page("Odd")
    tracker.attach(tracker.issues[made], "a.txt", b"a")
    tracker.offered = [tracker.file("b.txt", b"b")]
    tracker.version("1")
    connector = opened()
    assert len(texts(connector)) == 6
    later(tracker)
    tracker.modules = ("news",)
    assert set(texts(connector)) == {"project.md", "versions/1.md"}


def test_what_may_not_be_seen_any_more_goes(tracker: Tracker, opened: Open) -> None:
    tracker.page("Odd")
    tracker.modules = None
    connector = opened()
    assert "wiki/Odd.md" in texts(connector)
    later(tracker)
    tracker.faults = [lambda _, path: (403, {}, {}) if "/wiki/" in path else None]
    assert set(texts(connector)) == {"project.md"}


def test_what_another_key_reads_is_kept_apart(tracker: Tracker, opened: Open) -> None:
    tracker.issue("Odd")
    tracker.clock += timedelta(minutes=1)
    texts(opened())
    with pytest.raises(PermissionDenied):
        texts(opened({"credentials": Credentials("", "of-somebody-else")}))
    later(tracker)
    assert len(texts(opened())) == 2
    assert read_alone(tracker) == []
