"""What is deleted or moved to another repository goes, with what was said of it."""

from __future__ import annotations

from tests.sources.github.github_server import Hub, fill
from tests.sources.pages.reading import Open, changes, later, texts


def test_what_is_gone_goes_with_the_next_listing(hub: Hub, opened: Open) -> None:
    fill(hub, 150)
    connector = opened()
    before = connector.resolve().identifier
    deleted, moved = [each for each in hub.issues if each not in hub.pulls][:2]
    hub.delete(deleted)
    hub.moved.add(moved)
    later(hub)
    assert changes(connector, before) == (set(), set())
    later(hub, hours=25)
    gone = {f"issues/{deleted}.md", f"issues/{moved}.md"}
    assert changes(connector, before) == (set(), gone)
    assert hub.kinds_of_requests()[f"issues/{deleted}"] == 1  # it is asked for, once
    later(hub, hours=25)
    connector.resolve()
    assert hub.kinds_of_requests()[f"issues/{deleted}"] == 0


def test_a_ticket_that_comes_back_is_read_again(hub: Hub, opened: Open) -> None:
    made = hub.issue("Moves")
    hub.comment(made, "Said")
    connector = opened()
    connector.resolve()
    hub.moved.add(made)
    later(hub, hours=25)
    assert texts(connector) == {}
    hub.moved.clear()
    later(hub, hours=25)
    assert "Said" in texts(connector)[f"issues/{made}.md"]


def test_tickets_that_a_listing_missed_are_not_lost(hub: Hub, opened: Open) -> None:
    for number in range(250):
        hub.issue(f"Imported {number}")
    connector = opened()
    connector.resolve()
    later(hub, hours=25)

    def delete_meanwhile(hub: Hub, path: str) -> None:
        if "page=2" in path:
            hub.issues.pop(1, None)

    hub.faults = [delete_meanwhile]
    found = texts(connector)
    # The one at the border of two answers was in neither; it is asked for by number.
    there = {f"issues/{each}.md" for each in hub.issues}
    assert there <= found.keys()
    later(hub, hours=25)
    assert texts(connector).keys() == there


def test_deleted_comments_go_with_the_next_listing(hub: Hub, opened: Open) -> None:
    made = hub.pull("Talk")
    first, second = hub.comment(made, "A secret"), hub.comment(made, "Fine")
    third = hub.review(made, "A curse")
    connector = opened()
    path = f"pulls/{made}.md"
    assert "A secret" in texts(connector)[path]
    del hub.comments[first], hub.reviews[third]
    later(hub, hours=25)
    text = texts(connector)[path]
    assert "A secret" not in text
    assert "A curse" not in text
    assert "Fine" in text
    del hub.comments[second]
    later(hub, hours=25)
    assert "Comments" not in texts(connector)[path]


def test_issues_that_are_turned_off_go(hub: Hub, opened: Open) -> None:
    fill(hub, 12)
    connector = opened()
    connector.resolve()
    hub.has_issues = False
    later(hub, hours=25)
    assert texts(connector).keys() == {f"pulls/{number}.md" for number in hub.pulls}


def test_issues_that_are_turned_on_again_come_back(hub: Hub, opened: Open) -> None:
    fill(hub, 12)
    hub.has_issues = False
    connector = opened()
    assert len(texts(connector)) == 4
    hub.has_issues = True
    later(hub, hours=25)
    assert len(texts(connector)) == 12
    missed = next(each for each in hub.issues if each not in hub.pulls)
    hub.delete(missed)
    later(hub, hours=25)
    assert len(texts(connector)) == 11
