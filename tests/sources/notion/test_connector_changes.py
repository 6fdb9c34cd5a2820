"""Runs after the first: what changed is read, in few requests, and nothing is lost."""

from __future__ import annotations

from datetime import timedelta

import pytest

from devrag.core.errors import PermissionDenied
from devrag.sources.connectors import Credentials
from tests.sources.notion.notion_server import Workspace, fill
from tests.sources.notion.records import block, rich
from tests.sources.pages.reading import Open, changes, later, texts

CHILDREN = "blocks/children"


@pytest.mark.slow
def test_a_run_without_changes_asks_twice(workspace: Workspace, opened: Open) -> None:
    root = fill(workspace, 210)
    connector = opened()
    before = connector.resolve().identifier
    assert len(workspace.requests) >= 200  # of which two are 1 %
    later(workspace)
    assert connector.resolve().identifier == before
    assert workspace.kinds_of_requests() == {"users/me": 1, "search": 1}
    connector = opened(root=root)
    connector.resolve()
    later(workspace)
    connector.resolve()
    assert workspace.kinds_of_requests() == {"users/me": 1, "search": 1, "pages": 1}


def test_only_what_changed_is_read_again(workspace: Workspace, opened: Open) -> None:
    fill(workspace, 60)
    connector = opened()
    before = connector.resolve().identifier
    later(workspace)
    changed = named(workspace, "Page 7")
    workspace.edit(changed, block("paragraph", "Changed"))
    new = workspace.page("New", parent=changed)
    assert changes(connector, before) == (
        {"Home/Page 7.md", "Home/Page 7/New.md"},
        set(),
    )
    read = {path.split("/")[3] for path in workspace.requests if "children" in path}
    assert read == {changed, new}


def test_two_changes_within_one_minute_are_both_read(
    workspace: Workspace, opened: Open
) -> None:
    page = workspace.page("Odd", block("paragraph", "first"))
    connector = opened()
    connector.resolve()
    workspace.clock += timedelta(seconds=20)
    workspace.edit(page, block("paragraph", "second"))
    assert "second" in texts(connector)["Odd.md"]
    later(workspace)
    connector.resolve()
    later(workspace)
    connector.resolve()
    assert workspace.kinds_of_requests()[CHILDREN] == 0


def test_what_search_lists_late_is_read_late(
    workspace: Workspace, opened: Open
) -> None:
    page = workspace.page("Odd", block("paragraph", "first"))
    later(workspace)
    connector = opened()
    connector.resolve()
    workspace.edit(page, block("paragraph", "second"))
    workspace.hidden = {page}
    later(workspace, minutes=5)
    assert "first" in texts(connector)["Odd.md"]
    workspace.hidden = set()
    later(workspace, minutes=5)
    assert "second" in texts(connector)["Odd.md"]


@pytest.mark.parametrize("days", [-800, 800])
def test_a_clock_far_from_ours_loses_nothing(
    workspace: Workspace, opened: Open, days: int
) -> None:
    workspace.clock += timedelta(days=days)
    workspace.page("Old")
    connector = opened()
    connector.resolve()
    later(workspace, minutes=1)
    workspace.page("New")
    assert set(texts(connector)) == {"Old.md", "New.md"}


def test_a_clock_that_went_back_has_everything_listed(
    workspace: Workspace, opened: Open
) -> None:
    old = workspace.page("Old")
    workspace.page("Older")
    connector = opened()
    connector.resolve()
    later(workspace, days=-30)
    workspace.delete(old)
    assert set(texts(connector)) == {"Older.md"}


def test_a_page_that_is_edited_while_pages_are_listed_is_not_lost(
    workspace: Workspace, opened: Open
) -> None:
    for number in range(220):
        workspace.page(f"Page {number}")
        workspace.clock += timedelta(minutes=1)

    def edit_meanwhile(made: Workspace, path: str) -> None:
        if made.kinds_of_requests()["search"] == 2:
            made.edit(named(made, "Page 3"), block("paragraph", "Changed"))
            made.faults.clear()

    workspace.faults = [edit_meanwhile]
    assert len(texts(opened())) == 220


# -- moved, renamed, gone --


def test_a_renamed_page_takes_along_what_lies_below(
    workspace: Workspace, opened: Open
) -> None:
    top = workspace.page("Shop")
    page = workspace.page("Before", parent=top)
    mention = {"type": "mention", "mention": {"type": "page", "page": {"id": page}}}
    words = [{**mention, "plain_text": "that"}]
    below = workspace.page("Below", block("paragraph", words), parent=page)
    workspace.page("Other", block("paragraph", words))
    workspace.add(below, workspace.attach("notes.txt", b"notes"))
    later(workspace)
    connector = opened()
    before = connector.resolve().identifier
    later(workspace)
    workspace.edit(page, title="After")
    entered, gone = changes(connector, before)
    assert gone == {
        "Shop/Before.md",
        "Shop/Before/Below.md",
        "Shop/Before/Below/notes.txt",
    }
    moved = {path.replace("Before", "After") for path in gone}
    assert entered == moved | {"Shop.md", "Other.md"}  # which link to it
    read = {path.split("/")[3] for path in workspace.requests if "children" in path}
    assert read == {page, top}  # not what lies below, nor what only links to it
    found = texts(connector)
    assert "[After](Shop/After.md)" in found["Shop.md"]
    assert "[that](Shop/After.md)" in found["Other.md"]
    assert "[that](../After.md)" in found["Shop/After/Below.md"]
    assert 'place: ["Example Inc.", "Shop", "After"]' in found["Shop/After/Below.md"]
    assert found["Shop/After/Below/notes.txt"] == "notes"
    later(workspace)
    workspace.delete(page)
    workspace.touch(top)
    assert (
        f"[that]({workspace.url}/{page.replace('-', '')})"
        in texts(connector)["Other.md"]
    )


def test_a_run_that_ended_within_a_move_is_made_good_by_the_next(
    workspace: Workspace, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = workspace.page("Before")
    workspace.page("Below", parent=page)
    later(workspace)
    connector = opened()
    connector.resolve()
    later(workspace)
    workspace.edit(page, title="After")
    with monkeypatch.context() as patch:
        patch.setattr(
            "devrag.sources.connectors.notion.walk.Walk.move",
            lambda _: (_ for _ in ()).throw(KeyboardInterrupt),
        )
        with pytest.raises(KeyboardInterrupt):
            connector.resolve()
    assert set(texts(connector)) == {"After.md", "After/Below.md"}


def test_a_page_that_moves_is_found_where_it_is(
    workspace: Workspace, opened: Open
) -> None:
    first, second = workspace.page("First"), workspace.page("Second")
    moved = workspace.page("Moved", parent=first)
    workspace.page("Below", parent=moved)
    later(workspace)
    connector = opened()
    connector.resolve()
    later(workspace)
    workspace.move(moved, second)
    assert set(texts(connector)) == {
        *("First.md", "Second.md"),
        *("Second/Moved.md", "Second/Moved/Below.md"),
    }


def test_a_page_that_moves_out_of_what_is_read_goes(
    workspace: Workspace, opened: Open
) -> None:
    first, second = workspace.page("First"), workspace.page("Second")
    moved = workspace.page("Moved", parent=first)
    workspace.page("Below", parent=moved)
    later(workspace)
    connector = opened(root=first)
    assert len(texts(connector)) == 3
    later(workspace)
    workspace.move(moved, second)
    assert set(texts(connector)) == {"First.md"}
    later(workspace)
    workspace.move(moved, first)
    assert len(texts(connector)) == 3


def test_a_page_that_is_deleted_goes_with_what_lies_below(
    workspace: Workspace, opened: Open
) -> None:
    top = workspace.page("Shop")
    gone = workspace.page("Gone", workspace.attach("a.txt", b"a"), parent=top)
    workspace.page("Below", parent=gone)
    later(workspace)
    connector = opened()
    assert len(texts(connector)) == 4
    later(workspace)
    workspace.delete(gone)
    workspace.touch(top)  # its block went
    assert set(texts(connector)) == {"Shop.md"}


def test_a_day_later_deleted_rows_and_moves_are_seen(
    workspace: Workspace, opened: Open
) -> None:
    """None of them changes a date that search tells."""
    tasks = workspace.database("Tasks")
    gone, archived = (workspace.page(name, parent=tasks) for name in ("A", "B"))
    workspace.page("C", parent=tasks)
    later(workspace)
    connector = opened()
    before = connector.resolve().identifier
    later(workspace, hours=23)
    workspace.delete(gone)
    workspace.pages[archived]["is_archived"] = True
    assert changes(connector, before) == (set(), set())
    later(workspace, hours=2)
    assert changes(connector, before) == (set(), {"Tasks/A.md", "Tasks/B.md"})


def test_pages_that_search_leaves_out_are_not_taken_for_deleted(
    workspace: Workspace, opened: Open
) -> None:
    fill(workspace, 30)
    connector = opened()
    before = connector.resolve().identifier
    later(workspace, hours=25)
    workspace.hidden = set(workspace.pages)
    assert changes(connector, before) == (set(), set())
    assert workspace.kinds_of_requests()[CHILDREN] == 0
    later(workspace, hours=25)
    workspace.delete(named(workspace, "Page 29"))
    assert changes(connector, before) == (
        {"Home/Page 2.md"},  # which links to it
        {"Home/Page 2/Page 29.md"},
    )


def test_a_choice_that_is_renamed_is_seen_a_day_later(
    workspace: Workspace, opened: Open
) -> None:
    tasks = workspace.database("Tasks")
    status = {"type": "status", "status": {"name": "Doing"}}
    row = workspace.page("Row", parent=tasks, Status=status)
    later(workspace)
    connector = opened()
    connector.resolve()
    later(workspace, hours=25)
    properties = workspace.pages[row]["properties"]
    properties["Status"]["status"] = {"name": "In review"}
    assert 'status: "In review"' in texts(connector)["Tasks/Row.md"]


def test_pages_that_show_a_block_of_another_follow_it(
    workspace: Workspace, opened: Open
) -> None:
    origin = workspace.page("Origin")
    words = block("paragraph", "first")
    synced = {"synced_from": None, "children": [words]}
    original = workspace.add(origin, {"type": "synced_block", "synced_block": synced})
    copy = {"synced_from": {"type": "block_id", "block_id": original}}
    workspace.page("Copy", {"type": "synced_block", "synced_block": copy})
    later(workspace)
    connector = opened()
    assert "first" in texts(connector)["Copy.md"]
    later(workspace)
    (inner,) = workspace.inside[original]
    workspace.blocks[inner]["paragraph"]["rich_text"] = rich("second")
    workspace.touch(origin)
    found = texts(connector)
    assert "second" in found["Copy.md"]
    assert "second" in found["Origin.md"]


def test_comments_are_looked_at_again_within_a_week(
    workspace: Workspace, opened: Open
) -> None:
    page = workspace.page("Guide")
    connector = opened(read_comments=True)
    later(workspace)
    connector.resolve()
    later(workspace)
    workspace.comment(page, "Late", author="Ken")
    assert "Late" not in texts(connector)["Guide.md"]
    for _ in range(7):
        later(workspace, hours=25)
        connector.resolve()
    assert "Late" in texts(connector)["Guide.md"]


def test_what_another_token_reads_is_kept_apart(
    workspace: Workspace, opened: Open
) -> None:
    workspace.page("Home")
    later(workspace)
    assert set(texts(opened())) == {"Home.md"}
    with pytest.raises(PermissionDenied):
        texts(opened({"credentials": Credentials("", "of-somebody-else")}))
    later(workspace)
    assert set(texts(opened())) == {"Home.md"}
    assert workspace.kinds_of_requests()[CHILDREN] == 0


def named(workspace: Workspace, title: str) -> str:
    """Return the id of a page by its title."""
    for page_id, page in workspace.pages.items():
        if page["properties"]["Name"]["title"][0]["plain_text"] == title:
            return page_id
    raise KeyError(title)
