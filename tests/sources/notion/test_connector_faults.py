"""Faults of the server and of our own process lose nothing."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import PermissionDenied, SourceError
from tests.sources.notion.notion_server import TOKEN, Workspace, fill
from tests.sources.notion.records import block
from tests.sources.pages.api_app import Reply
from tests.sources.pages.faulty_server import once
from tests.sources.pages.reading import Open, later, read_in_process, texts, unlisted
from tests.tiers import mostly_slow

CHILDREN = "blocks/children"


@pytest.mark.parametrize("part", mostly_slow(["/children", "/search", "/query"]))
@pytest.mark.parametrize(
    "reply",
    [
        (429, {"code": "rate_limited"}, {"Retry-After": "1"}),
        (500, {"code": "internal_server_error"}, {}),
        (529, {"code": "service_overload"}, {"Retry-After": "3"}),
        (200, b'{"results": [', {"Content-Length": "900"}),
        (200, b"<html>Sign in</html>", {}),
    ],
)
def test_a_passing_fault_loses_nothing(
    workspace: Workspace, opened: Open, reply: Any, part: str
) -> None:
    tasks = workspace.database("Tasks")
    for number in range(120):
        workspace.page(f"Row {number}", parent=tasks)
    workspace.faults = [once(reply, 2, part)]
    assert len(texts(opened())) == 121


def test_a_token_that_expires_in_the_middle_goes_on_with_a_new_one(
    workspace: Workspace, opened: Open
) -> None:
    fill(workspace, 60)
    expired: Reply = (401, {"code": "unauthorized", "message": "expired"}, {})
    workspace.faults = [once(expired, 31, "/children")]
    connector = opened()
    with pytest.raises(PermissionDenied, match="expired"):
        connector.resolve()
    connector.close()
    later(workspace)
    assert len(texts(opened())) == 60
    assert workspace.kinds_of_requests()[CHILDREN] == 30  # what was read is known


def test_a_server_that_is_gone_for_an_hour_is_tried_again_later(
    workspace: Workspace, opened: Open
) -> None:
    workspace.faults = [lambda *_: (503, {}, {})]
    with pytest.raises(SourceError, match="503") as caught:
        opened().resolve()
    assert not caught.value.permanent


@pytest.mark.parametrize("is_searchable", mostly_slow([True, False]))
def test_a_run_that_is_killed_goes_on_where_it_was(
    workspace: Workspace, opened: Open, tmp_path: Path, is_searchable: bool
) -> None:
    root = fill(workspace, 60)
    if not is_searchable:  # then only pages that were read tell what lies in them
        workspace.hidden = {*workspace.pages} - {root}
    connector = opened()
    with read_in_process("notion", workspace.url, TOKEN, tmp_path) as process:

        def kill(made: Workspace, path: str) -> None:
            if made.kinds_of_requests()[CHILDREN] == 40:
                process.kill()
                made.faults.clear()

        workspace.faults = [kill]
    assert process.returncode == -signal.SIGKILL
    later(workspace)
    assert len(texts(connector)) == 60
    assert workspace.kinds_of_requests()[CHILDREN] in {21, 22}


def test_a_page_that_is_deleted_while_it_is_read_is_gone(
    workspace: Workspace, opened: Open
) -> None:
    fill(workspace, 15)
    last = list(workspace.pages)[-1]

    def delete_meanwhile(made: Workspace, path: str) -> None:
        if f"{last}/children" in path:
            made.delete(last)

    workspace.faults = [delete_meanwhile]
    assert len(texts(opened())) == 14


def test_results_that_come_twice_are_read_once(
    workspace: Workspace, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(150):
        workspace.page(f"Page {number}")
    results = workspace._results

    def overlapping(found: list[Any], asked: dict[str, Any]) -> Reply:
        status, answer, headers = results(found, asked)
        if answer["has_more"] and len(answer["results"]) == 100:
            rest = workspace._cursors[answer["next_cursor"]]
            rest[:0] = answer["results"][-30:]
        return status, answer, headers

    monkeypatch.setattr(workspace, "_results", overlapping)
    assert len(texts(opened())) == 150
    assert workspace.kinds_of_requests()[CHILDREN] == 150


def test_cursors_without_end_end(
    workspace: Workspace, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.page("Home")
    results = workspace._results

    def endless(found: list[Any], asked: dict[str, Any]) -> Reply:
        status, answer, headers = results(found, asked)
        return status, {**answer, "has_more": True, "next_cursor": "again"}, headers

    monkeypatch.setattr(workspace, "_results", endless)
    assert set(texts(opened())) == {"Home.md"}
    assert len(workspace.requests) < 20


def test_blocks_that_the_api_does_not_show_hide_no_others(
    workspace: Workspace, opened: Open
) -> None:
    page = workspace.page("Home", block("paragraph", "before"))
    toggle = workspace.add(page, block("toggle", "Odd"))
    workspace.add(toggle, block("paragraph", "inside"))
    workspace.add(page, block("paragraph", "after"))
    odd = workspace.page("Odd page")
    refused: Reply = (400, {"code": "validation_error", "message": "ai_block"}, {})
    workspace.faults = [
        lambda _, path: refused if toggle in path or f"{odd}/children" in path else None
    ]
    connector = opened()
    assert texts(connector)["Home.md"].endswith("before\n\n**Odd**\n\nafter\n")
    assert unlisted(connector) == {("Odd page.md", "cannot be read (NotAccepted)")}
