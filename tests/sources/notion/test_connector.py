"""Pages and databases as a source: what is read, where it lies, what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.core.errors import InvalidInput, NotFound, PermissionDenied, SourceError
from devrag.sources.api import read_document
from devrag.sources.connectors import ConnectorContext, Credentials, open_connector
from devrag.sources.connectors.pages.types import Probe
from devrag.sources.selection import Selection
from tests.sources.notion.notion_server import Workspace, fill
from tests.sources.notion.records import block, paragraphs, rich
from tests.sources.pages.api_app import Reply
from tests.sources.pages.reading import Open, texts, unlisted

EVERYBODY = (
    "Everything that is shared with the integration becomes visible to everyone who "
    "can see the product."
)


def test_a_page_has_its_place_author_dates_and_original(
    workspace: Workspace, opened: Open
) -> None:
    top = workspace.page("Engineering")
    above = workspace.page("Architecture", parent=top)
    page = workspace.page("Payment flow", block("paragraph", "Pay"), parent=above)
    text = texts(opened())["Engineering/Architecture/Payment flow.md"]
    facts = read_document(text)
    assert facts is not None
    assert facts.place == ("Example Inc.", "Engineering", "Architecture")
    assert (facts.kind, facts.author) == ("page", "Aoi Tanaka")
    assert facts.changed_at == facts.created_at == workspace.clock
    assert facts.url == f"{workspace.url}/{page.replace('-', '')}"
    assert text.endswith("---\n\n# Payment flow\n\nPay\n")


def test_rows_of_a_database_have_their_properties_as_facts(
    workspace: Workspace, opened: Open
) -> None:
    groups = [{"name": "Complete", "option_ids": ["d"]}]
    options = [{"id": "t", "name": "To do"}, {"id": "d", "name": "Done"}]
    status = {"type": "status", "status": {"options": options, "groups": groups}}
    top = workspace.page("Shop")
    tasks = workspace.database("Tasks", top, Status=status)
    workspace.page(
        "Refund twice",
        parent=tasks,
        Status={"type": "status", "status": {"id": "d", "name": "Done"}},
        Tags={"type": "multi_select", "multi_select": [{"name": "b"}, {"name": "a"}]},
        Owner={"type": "people", "people": [{"id": "u", "name": "Mio Sato"}]},
        Due={"type": "date", "date": {"start": "2026-03-04", "end": None}},
        Number={"type": "unique_id", "unique_id": {"prefix": "SHOP", "number": 7}},
    )
    found = texts(opened())
    text = found["Shop/Tasks/Refund twice.md"]
    facts = read_document(text)
    assert facts is not None
    assert (facts.status, facts.is_closed) == ("Done", True)
    assert (facts.labels, facts.author) == (("a", "b"), "Mio Sato")
    assert facts.place == ("Example Inc.", "Shop", "Tasks")
    assert "- Due: 2026-03-04\n- Number: SHOP-7\n- Owner: Mio Sato\n" in text
    assert "- Status: status: To do, Done" in found["Shop/Tasks.md"]
    assert "[Tasks](Shop/Tasks.md)" in found["Shop.md"]


def test_links_lead_to_the_pages_that_were_read(
    workspace: Workspace, opened: Open
) -> None:
    top = workspace.page("Shop")
    refunds = workspace.page("Refunds", parent=top)
    plain = refunds.replace("-", "")
    mention = {"type": "mention", "mention": {"type": "page", "page": {"id": refunds}}}
    words = [
        {**mention, "plain_text": "Refunds", "href": f"https://www.notion.so/{plain}"},
        *rich(" or "),
        *rich("these", href=f"/{plain}?pvs=4"),
        *rich(" and "),
        *rich("others", href=f"https://www.notion.so/{'0' * 31}f"),
    ]
    workspace.page("Payments", block("paragraph", words), parent=top)
    found = texts(opened())
    assert (
        "[Refunds](Refunds.md) or [these](Refunds.md) and "
        f"[others](https://www.notion.so/{'0' * 31}f)"
    ) in found["Shop/Payments.md"]
    assert (
        "[Refunds](Shop/Refunds.md)\n\n[Payments](Shop/Payments.md)" in found["Shop.md"]
    )


def test_a_page_or_database_alone_is_read_with_what_lies_below(
    workspace: Workspace, opened: Open
) -> None:
    top = workspace.page("Shop")
    inner = workspace.page("Guide", parent=top)
    toggle = workspace.add(inner, block("toggle", "More"))
    workspace.page("Hidden in a toggle", parent=toggle)
    tasks = workspace.database("Tasks", inner)
    workspace.page("Row", parent=tasks)
    workspace.page("Elsewhere", parent=top)
    guide = {"Guide.md", "Guide/Hidden in a toggle.md", "Guide/Tasks.md"}
    assert set(texts(opened(root=inner))) == guide | {"Guide/Tasks/Row.md"}
    workspace.requests.clear()
    database = workspace.sources[tasks]["parent"]["database_id"]
    assert set(texts(opened(root=database))) == {"Tasks.md", "Tasks/Row.md"}


def test_pages_that_search_does_not_list_are_found_from_others(
    workspace: Workspace, opened: Open
) -> None:
    top = workspace.page("Shop")
    below = workspace.page("Below", parent=top)
    tasks = workspace.database("Tasks", below)
    row = workspace.page("Row", parent=tasks)
    workspace.hidden = {below, tasks, row}
    wanted = {"Shop.md", "Shop/Below.md", "Shop/Below/Tasks.md"}
    assert set(texts(opened())) == wanted | {"Shop/Below/Tasks/Row.md"}


def test_a_view_of_a_database_moves_it_nowhere(
    workspace: Workspace, opened: Open
) -> None:
    first, second = workspace.page("A"), workspace.page("B")
    tasks = workspace.database("Tasks", first)
    workspace.page("Row", parent=tasks)
    view, empty = workspace.new_id(), workspace.new_id()
    of = {"data_sources": [{"id": tasks, "name": "Tasks"}], "in_trash": False}
    workspace.databases[view] = {"object": "database", "id": view, **of}
    for each in (view, empty):  # the API shows nothing of the second
        workspace._add_block(second, each, "child_database", {"title": "My tasks"})
    found = texts(opened())
    assert set(found) == {"A.md", "A/Tasks.md", "A/Tasks/Row.md", "B.md"}
    assert "[My tasks](A/Tasks.md)" in found["B.md"]


def test_more_rows_than_a_query_has_are_read(
    workspace: Workspace, opened: Open
) -> None:
    tasks = workspace.database("Tasks")
    for number in range(250):
        made = workspace.page(f"Row {number}", parent=tasks)
        workspace.hidden.add(made)
        workspace.pages[made]["created_time"] = (
            f"2026-02-01T{number // 60:02}:{number % 60:02}:00.000Z"
        )
    workspace.most = 120
    assert len(texts(opened())) == 251


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("a/b\\c", "a∕b∕c.md"),
        ("..", "untitled.md"),
        ("", "Untitled.md"),
        ("  تقرير ✓ 🚀  ", "تقرير ✓ 🚀.md"),
        ("a\u202eb\nc", "a b c.md"),
        ("文" * 250, None),
    ],
)
def test_titles_become_names(
    workspace: Workspace, opened: Open, title: str, path: str | None
) -> None:
    workspace.page(title)
    (found,) = texts(opened())
    assert path is None or found == path
    assert len(found.encode()) < 255


def test_two_pages_of_one_title_both_stay_with_what_lies_below(
    workspace: Workspace, opened: Open
) -> None:
    top = workspace.page("Shop")
    first = workspace.page("Notes", block("paragraph", "one"), parent=top)
    second = workspace.page("Notes", block("paragraph", "two"), parent=top)
    workspace.page("Inner", parent=first)
    workspace.page("Inner", parent=second)
    found = texts(opened())
    names = [path for path in found if path.startswith("Shop/Notes")]
    assert len(names) == 4
    links = [
        line for line in found["Shop.md"].splitlines() if line.startswith("[Notes]")
    ]
    assert len(set(links)) == 2
    assert set(texts(opened())) == set(found)


def test_a_tree_that_runs_in_a_circle_ends(workspace: Workspace, opened: Open) -> None:
    first = workspace.page("First")
    second = workspace.page("Second", parent=first)
    workspace.pages[first]["parent"] = {"type": "page_id", "page_id": second}
    workspace._add_block(second, first, "child_page", {"title": "First"})
    found = texts(opened())
    assert {path.rpartition("/")[2] for path in found} == {"First.md", "Second.md"}


def test_a_tree_that_is_too_deep_is_cut(workspace: Workspace, opened: Open) -> None:
    parent = ""
    for number in range(70):
        parent = workspace.page(f"P{number}", parent=parent)
    connector = opened()
    assert len(texts(connector)) == 60
    assert {reason for _, reason in unlisted(connector)} == {"below more than 60 pages"}


@pytest.mark.parametrize("written", ["31 February", "", "9999-99-99T99:99:00.000Z"])
def test_dates_that_are_none_are_not_known(
    workspace: Workspace, opened: Open, written: str
) -> None:
    page = workspace.page("Odd")
    workspace.pages[page] |= {"last_edited_time": written, "created_time": written}
    connector = opened()
    facts = read_document(texts(connector)["Odd.md"])
    assert facts is not None
    assert facts.changed_at is None
    assert set(texts(connector)) == {"Odd.md"}


# -- what is left out --


@pytest.mark.slow
def test_a_page_of_20_megabytes_is_named_and_left_out(
    workspace: Workspace, opened: Open
) -> None:
    workspace.page("Home")
    workspace.page("Huge", *paragraphs(["x" * 2_000] * 10_000))
    connector = opened({"selection": Selection(max_bytes=2_000_000)})
    assert set(texts(connector)) == {"Home.md"}
    assert ("Huge.md", "too large") in unlisted(connector)
    asked = [path for path in workspace.requests if "children" in path]
    assert len(asked) < 30  # of more than a hundred


def test_archived_pages_and_those_in_the_trash_are_not_read(
    workspace: Workspace, opened: Open
) -> None:
    workspace.page("Home")
    old, gone = workspace.page("Old"), workspace.page("Gone")
    workspace.pages[old]["is_archived"] = True
    workspace.delete(gone)
    assert set(texts(opened())) == {"Home.md"}


def test_a_page_that_cannot_be_converted_is_named(
    workspace: Workspace, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> str:
        raise ValueError

    workspace.page("Home")
    monkeypatch.setattr("devrag.sources.connectors.notion.reader.write_page", fail)
    assert unlisted(opened()) == {("Home.md", "cannot be converted (ValueError)")}


def test_more_pages_than_are_read_are_refused_while_they_are_listed(
    workspace: Workspace, opened: Open
) -> None:
    fill(workspace, 350)
    with pytest.raises(InvalidInput, match="more than 150 pages"):
        opened({"max_files": 150}).resolve()
    assert workspace.kinds_of_requests()["search"] == 2


# -- attachments and comments --


def test_files_lie_beside_their_page_and_pictures_are_named(
    workspace: Workspace, opened: Open
) -> None:
    table = {"type": "file", "name": "limits.csv", "file": {"url": ""}}
    page = workspace.page(
        "Guide",
        workspace.attach("set up.txt", b"first"),
        workspace.attach("shot.png", b"\x89PNG", "image"),
        Files={"type": "files", "files": [table]},
    )
    kept = workspace.attach("limits.csv", b"a,b")["file"]["file"]
    workspace.pages[page]["properties"]["Files"]["files"][0]["file"] = kept
    connector = opened()
    found = texts(connector)
    assert found["Guide/set up.txt"] == "first"
    assert found["Guide/limits.csv"] == "a,b"
    assert "[set up.txt](Guide/set%20up.txt)" in found["Guide.md"]
    assert "signature" not in "".join(found.values())
    assert unlisted(connector) == {("Guide/shot.png", "no text (image/png)")}
    assert set(texts(opened(read_attachments=False))) == {"Guide.md"}


def test_the_address_of_a_file_is_asked_for_when_it_is_read(
    workspace: Workspace, opened: Open
) -> None:
    workspace.page("Guide", workspace.attach("a.txt", b"a"))
    connector = opened()
    before = connector.resolve().identifier
    own = next(e for e in workspace.blocks.values() if e["type"] == "file")
    (path,) = workspace.files
    workspace.files = {"/files/new": workspace.files[path]}
    own["file"]["file"] = {"url": f"{workspace.url}/files/new?signature=2"}
    assert texts(connector)["Guide/a.txt"] == "a"
    assert connector.resolve().identifier == before


def test_a_file_that_grew_or_went_is_left_out(
    workspace: Workspace, opened: Open
) -> None:
    big, lost = workspace.attach("big.txt", b"x"), workspace.attach("lost.txt", b"x")
    workspace.page("Guide", big, lost)
    names = {path.rpartition("/")[2]: path for path in workspace.files}
    workspace.files[names["big.txt"]] = b"x" * 20_000
    del workspace.files[names["lost.txt"]]
    connector = opened({"selection": Selection(max_bytes=3_000)})
    assert set(texts(connector)) == {"Guide.md"}


@pytest.mark.parametrize("url", ["", "odd", "http://[::1"])
def test_a_file_without_an_address_is_left_out(
    workspace: Workspace, opened: Open, url: str
) -> None:
    workspace.page("Guide", workspace.attach("a.txt", b"a"))
    connector = opened()
    connector.resolve()
    own = next(e for e in workspace.blocks.values() if e["type"] == "file")
    own["file"]["file"] = {"url": url}
    assert set(texts(connector)) == {"Guide.md"}


def test_comments_follow_their_page_by_choice(
    workspace: Workspace, opened: Open
) -> None:
    page = workspace.page("Guide", block("paragraph", "Text"))
    workspace.comment(page, "Is this right?", author="Ken")
    assert "Ken" not in texts(opened())["Guide.md"]
    assert workspace.kinds_of_requests()["comments"] == 0
    text = texts(opened(read_comments=True))["Guide.md"]
    assert text.endswith(
        "Text\n\n## Comments\n\n### Ken, 2026-03-01\n\nIs this right?\n"
    )


def test_comments_without_the_capability_are_a_refusal(
    workspace: Workspace, opened: Open
) -> None:
    workspace.page("Guide")
    workspace.without = {"read_comments"}
    with pytest.raises(PermissionDenied, match="No comment capability"):
        opened(read_comments=True).resolve()


def test_without_names_of_users_there_is_no_author(
    workspace: Workspace, opened: Open
) -> None:
    workspace.page("Guide")
    workspace.without = {"read_users"}
    facts = read_document(texts(opened())["Guide.md"])
    assert facts is not None
    assert facts.author == ""


# -- testing a connection --


def test_a_preview_says_what_would_be_read(workspace: Workspace, opened: Open) -> None:
    page = fill(workspace, 12)
    assert opened().preview() == Probe("Example Inc.", (("pages", 12),), (EVERYBODY,))
    assert opened(root=page).preview() == Probe(
        "Home", (("pages", None),), (EVERYBODY,)
    )


def test_a_preview_says_that_nothing_is_shared(
    workspace: Workspace, opened: Open
) -> None:
    found = opened().preview()
    assert found.counts == (("pages", 0),)
    assert "Nothing is shared with the integration yet" in found.notes[0]


def test_a_page_that_is_not_shared_is_told(workspace: Workspace, opened: Open) -> None:
    with pytest.raises(NotFound, match="choose Connections"):
        opened(root="0" * 31 + "f").probe()


def test_a_wrong_token_is_told(workspace: Workspace, opened: Open) -> None:
    connector = opened({"credentials": Credentials("", "wrong")})
    with pytest.raises(PermissionDenied, match="API token is invalid"):
        connector.probe()


def test_a_token_that_may_not_read_content_is_told(
    workspace: Workspace, opened: Open
) -> None:
    refused: Reply = (
        403,
        {"code": "restricted_resource", "message": "No capability."},
        {},
    )
    workspace.faults = [lambda _, path: refused if "users/me" not in path else None]
    with pytest.raises(PermissionDenied, match="No capability"):
        opened().probe()


def test_a_server_that_is_no_notion(workspace: Workspace, opened: Open) -> None:
    workspace.faults = [lambda *_: (200, {"message": "hello"}, {})]
    with pytest.raises(SourceError, match="does not respond like Notion"):
        opened().resolve()


def test_the_network_is_not_touched_when_it_is_opened(tmp_path: Path) -> None:
    url = "https://www.notion.so/Title-0123456789abcdef0123456789abcdef"
    open_connector("notion", {"url": url}, ConnectorContext(tmp_path)).close()
