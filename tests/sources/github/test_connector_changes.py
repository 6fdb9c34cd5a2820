"""Runs after the first: only what changed is read, and nothing is lost."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.sources.github.github_server import Hub, fill
from tests.sources.pages.reading import Open, changes, later, texts


@pytest.mark.slow
def test_a_run_without_changes_costs_next_to_nothing(hub: Hub, opened: Open) -> None:
    hub.most = 1  # results in an answer, as if there were a hundred times as many
    fill(hub, 300)
    hub.clock += timedelta(hours=1)
    made = hub.pull("Last")
    hub.review(made, "Why?")
    hub.comment(made, "Why not?")
    hub.clock += timedelta(hours=1)
    connector = opened()
    before = connector.resolve().identifier
    first = len(hub.requests)
    later(hub)
    assert connector.resolve().identifier == before
    assert len(hub.requests) <= first / 100


def test_answers_that_are_the_same_are_not_sent_again(hub: Hub, opened: Open) -> None:
    fill(hub, 30)
    connector = opened()
    connector.resolve()
    later(hub)
    connector.resolve()
    later(hub)
    sent = []
    answer = hub.reply

    def noted(path: str, headers: dict[str, str]) -> object:
        found = answer(path, headers)
        sent.append(found[0])
        return found

    hub.reply = noted  # type: ignore[method-assign, assignment]  # of this one server
    connector.resolve()
    assert sent == [304, 304, 304, 304]


def test_only_what_changed_is_written_again(hub: Hub, opened: Open) -> None:
    fill(hub, 150)
    connector = opened()
    before = connector.resolve().identifier
    later(hub)
    hub.edit(8, title="Renamed")
    hub.comment(hub_pull(hub), "New")
    hub.review(hub_pull(hub, 2), "On a line")
    new = hub.issue("New")
    assert changes(connector, before) == (
        {
            "issues/8.md",
            f"issues/{new}.md",
            f"pulls/{hub_pull(hub)}.md",
            f"pulls/{hub_pull(hub, 2)}.md",
        },
        set(),
    )
    assert sum(hub.kinds_of_requests().values()) == 4


def hub_pull(hub: Hub, number: int = 1) -> int:
    return list(hub.pulls)[number]


def test_a_comment_that_is_edited_changes_its_ticket(hub: Hub, opened: Open) -> None:
    made = hub.issue("Talk")
    said = hub.comment(made, "Before")
    connector = opened()
    assert "Before" in texts(connector)[f"issues/{made}.md"]
    later(hub)
    # The time of the issue stays as it was.
    hub.comments[said] |= {"body": "After", "updated_at": hub.now}
    text = texts(connector)[f"issues/{made}.md"]
    assert "After" in text
    assert "Before" not in text


def test_what_is_counted_elsewhere_writes_nothing_anew(hub: Hub, opened: Open) -> None:
    made = hub.issue("Liked")
    connector = opened()
    before = connector.resolve().identifier
    later(hub, hours=25)
    hub.issues[made] |= {"comments": 7, "reactions": {"total_count": 3}}
    assert connector.resolve().identifier == before


def test_two_changes_within_one_second_are_both_read(hub: Hub, opened: Open) -> None:
    made = hub.issue("Odd")
    connector = opened()
    connector.resolve()
    hub.comment(made, "In the same second")
    assert "same second" in texts(connector)[f"issues/{made}.md"]


def test_a_ticket_that_changes_while_they_are_listed_shifts_no_other(
    hub: Hub, opened: Open
) -> None:
    fill(hub, 350)
    hub.clock += timedelta(minutes=1)

    def change_meanwhile(hub: Hub, path: str) -> None:
        if "since=" in path or "page=2" in path:
            hub.edit(1, title="Changed")
            hub.faults.clear()

    hub.faults = [change_meanwhile]
    found = texts(opened())
    assert len(found) == 350
    assert all("Text" in each or "About" in each for each in found.values())


def test_a_pull_request_that_is_pushed_to_while_they_are_listed_loses_no_other(
    hub: Hub, opened: Open
) -> None:
    for number in range(250):
        hub.pull(f"Change {number}")
        hub.clock += timedelta(seconds=30)

    def push_meanwhile(hub: Hub, path: str) -> None:
        if "/pulls?" in path and "page=2" in path:
            hub.edit(1)
            hub.edit(2)
            hub.faults.clear()

    hub.faults = [push_meanwhile]
    connector = opened()
    connector.resolve()
    found = texts(connector)  # those that were pushed to came to the front meanwhile
    assert sum("- Branches: acme:feature" in each for each in found.values()) == 250


def test_an_issue_that_becomes_a_pull_request_moves(hub: Hub, opened: Open) -> None:
    made = hub.issue("Plan")
    connector = opened()
    before = connector.resolve().identifier
    later(hub)
    hub.edit(made, pull_request={"merged_at": None})
    assert changes(connector, before) == ({f"pulls/{made}.md"}, {f"issues/{made}.md"})


@pytest.mark.parametrize("days", [-800, 800])
def test_a_clock_far_from_ours_loses_nothing(hub: Hub, opened: Open, days: int) -> None:
    hub.clock += timedelta(days=days)
    hub.issue("Old")
    connector = opened()
    connector.resolve()
    later(hub, minutes=1)
    made = hub.issue("New")
    assert f"issues/{made}.md" in texts(connector)


def test_a_change_of_the_future_hides_no_other(hub: Hub, opened: Open) -> None:
    hub.issue("Imported", updated_at="2099-01-01T00:00:00Z")
    connector = opened()
    connector.resolve()
    later(hub)
    made = hub.issue("New")
    assert f"issues/{made}.md" in texts(connector)


def test_a_clock_that_went_back_has_everything_listed(hub: Hub, opened: Open) -> None:
    first, second = hub.issue("Old"), hub.issue("Old too")
    connector = opened()
    connector.resolve()
    later(hub, days=-30)
    hub.edit(first, title="Restored")
    hub.delete(second)
    found = texts(connector)
    assert "Restored" in found[f"issues/{first}.md"]
    assert f"issues/{second}.md" not in found
