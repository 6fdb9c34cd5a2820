"""Runs after the first: only what changed is read, and nothing is lost."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import PermissionDenied, SourceError
from devrag.sources.connectors import Credentials
from devrag.sources.connectors.pages.connector import PageConnector
from tests.sources.redmine.reading import changes, texts, unlisted
from tests.sources.redmine.redmine_server import KEY, Reply, Tracker, fill, named

Open = Callable[..., PageConnector]


def later(tracker: Tracker, **time: float) -> None:
    tracker.clock += timedelta(**(time or {"hours": 1}))
    tracker.requests.clear()


def read_alone(tracker: Tracker) -> list[str]:
    """Return the issues and pages that were asked for one by one."""
    parts = ("/issues/", "/wiki/")
    paths = [path.partition(".json")[0] for path in tracker.requests]
    found = [path for path in paths if any(part in path for part in parts)]
    skipped = ("/wiki/index", "/help/wiki_syntax")
    return sorted(path for path in found if not path.endswith(skipped))


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


def test_many_issues_of_one_second_are_all_read(tracker: Tracker, opened: Open) -> None:
    for number in range(350):
        tracker.issue(f"Imported {number}")
    tracker.clock += timedelta(seconds=1)
    fill(tracker, 120)
    found = texts(opened())
    assert sum(path.startswith("issues/") for path in found) == 470
    assert len(read_alone(tracker)) == 470


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


# -- what goes, moves and is hidden --


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


# -- faults --


def once(reply: Any, number: int, part: str = "/issues/") -> Callable[..., Any]:
    """Answer one request of a kind, the nth, in this way."""
    count = 0

    def fault(_: Tracker, path: str) -> Any:
        nonlocal count
        count += part in path
        return reply if part in path and count == number else None

    return fault


@pytest.mark.parametrize("part", ["/issues/", "/issues.json"])
@pytest.mark.parametrize(
    "reply",
    [
        (429, {}, {"Retry-After": "1"}),
        (500, {}, {}),
        (503, {}, {"Retry-After": "Sun, 01 Mar 2026 12:00:05 GMT"}),
        (200, b'{"issues": [', {"Content-Length": "900"}),
        (200, b"<html>Sign in</html>", {}),
    ],
)
def test_a_passing_fault_loses_nothing(
    tracker: Tracker, opened: Open, reply: Any, part: str
) -> None:
    fill(tracker, 120)
    tracker.faults = [once(reply, 2, part)]
    assert len(texts(opened())) == 121


def test_a_key_that_expires_in_the_middle_goes_on_with_a_new_one(
    tracker: Tracker, opened: Open
) -> None:
    fill(tracker, 120)
    tracker.clock += timedelta(minutes=1)
    expired: Reply = (401, {}, {})
    tracker.faults = [once(expired, 61)]
    connector = opened()
    with pytest.raises(PermissionDenied, match="expired"):
        connector.resolve()
    connector.close()
    later(tracker)
    assert len(texts(opened())) == 121
    assert len(read_alone(tracker)) == 70  # what was read is not read again


def test_a_key_that_expires_before_deletions_are_looked_for_deletes_nothing(
    tracker: Tracker, opened: Open
) -> None:
    """In a public project, what its members alone see would be gone."""
    tracker.is_public = True
    fill(tracker, 3)
    connector = opened()
    connector.resolve()
    later(tracker, hours=25)
    del tracker.issues[2]
    tracker.faults = [once((401, {}, {}), 2, "/users/")]
    with pytest.raises(PermissionDenied):
        connector.resolve()
    tracker.faults.clear()
    assert len(texts(connector)) == 3


_READ = """
import sys
from pathlib import Path
from devrag.sources.connectors import ConnectorContext, Credentials, open_connector
from devrag.sources.hosts import AddressRules

rules = AddressRules(allow_http=True, allow_loopback=True)
context = ConnectorContext(
    Path(sys.argv[1]), rules, credentials=Credentials("", sys.argv[3])
)
open_connector("redmine", {"url": sys.argv[2]}, context).resolve()
"""


def test_a_run_that_is_killed_goes_on_where_it_was(
    tracker: Tracker, opened: Open, tmp_path: Path
) -> None:
    fill(tracker, 200)
    tracker.clock += timedelta(minutes=1)
    connector = opened()
    url = connector._place  # as the connector has it
    script = [sys.executable, "-c", _READ, str(tmp_path), url, KEY]
    with subprocess.Popen(script) as process:

        def kill(tracker: Tracker, path: str) -> None:
            if len(read_alone(tracker)) == 110:
                process.kill()
                tracker.faults.clear()

        tracker.faults = [kill]
    assert process.returncode == -signal.SIGKILL
    tracker.requests.clear()
    assert sum(path.startswith("issues/") for path in texts(connector)) == 200
    assert len(read_alone(tracker)) == 100  # batches of 25; the fifth was on its way


def test_a_server_that_is_gone_for_an_hour_is_tried_again_later(
    tracker: Tracker, opened: Open
) -> None:
    tracker.faults = [lambda *_: (503, {}, {})]
    with pytest.raises(SourceError, match="503") as caught:
        opened().resolve()
    assert not caught.value.permanent


def test_results_that_come_twice_and_without_end_end(
    tracker: Tracker, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tracker, 150)
    issues = tracker._issues

    def endless(asked: dict[str, str]) -> Any:
        rest = {k: v for k, v in asked.items() if k != "updated_on"}
        return issues({**rest, "offset": "0"}) | {"total_count": 10**9}

    monkeypatch.setattr(tracker, "_issues", endless)
    with pytest.raises(Exception, match="more than"):
        texts(opened())
    monkeypatch.setattr("devrag.sources.connectors.pages.limits.check_count", print)
    assert len(tracker.requests) < 20


def test_a_server_that_is_no_redmine(tracker: Tracker, opened: Open) -> None:
    tracker.faults = [lambda *_: (200, {"message": "hello"}, {})]
    with pytest.raises(SourceError, match="does not answer as Redmine does"):
        opened().resolve()
