"""A project as a source: what is read, and what is left out."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.core.errors import NotFound, PermissionDenied
from devrag.sources.api import read_document
from devrag.sources.connectors import (
    ConnectorContext,
    Credentials,
    open_connector,
)
from devrag.sources.connectors.pages.types import Probe
from tests.sources.pages.reading import Open, texts
from tests.sources.redmine.records import named
from tests.sources.redmine.redmine_server import KEY, Tracker, fill


def test_an_issue_has_its_facts_fields_relations_and_notes(
    tracker: Tracker, opened: Open
) -> None:
    other = tracker.issue("Other")
    made = tracker.issue(
        "Card is charged twice",
        "h2. Steps\n\nPress *Pay* twice",
        assigned_to=named("Ken"),
        category=named("Payments"),
        fixed_version=named("1.2"),
        custom_fields=[
            {"id": 1, "name": "Browser", "multiple": True, "value": ["A", "B"]},
            {"id": 2, "name": "Empty", "value": ""},
        ],
        parent={"id": other},
        changesets=[{"revision": "abc", "comments": "Fix it\n\nlong", "user": {}}],
    )
    tracker.issues[made]["relations"] = [
        {"id": 9, "issue_id": other, "issue_to_id": made, "relation_type": "blocks"}
    ]
    tracker.note(made, "Seen in _production_")
    tracker.note(made, "")
    text = texts(opened())[f"issues/{made}.md"]
    facts = read_document(text)
    assert facts is not None
    assert facts.title == f"Bug #{made}: Card is charged twice"
    assert (facts.kind, facts.place) == ("ticket", ("Web shop",))
    assert (facts.status, facts.is_closed) == ("New", False)
    assert (facts.author, facts.labels) == ("Aoi Tanaka", ("Bug", "Payments"))
    assert facts.changed_at == facts.created_at == tracker.clock
    assert facts.url.endswith(f"/redmine/issues/{made}")
    base = facts.url.removesuffix(f"/{made}")
    assert text.partition("---\n\n")[2] == (
        f"# Bug #{made}: Card is charged twice\n\n"
        "- Status: New\n- Tracker: Bug\n- Priority: Normal\n- Assignee: Ken\n"
        "- Category: Payments\n- Target version: 1.2\n- Start date: 2026-03-01\n"
        "- Browser: A, B\n\n"
        "## Steps\n\nPress **Pay** twice\n\n"
        f"- Parent: [#{other}]({base}/{other})\n"
        f"- Blocked by: [#{other}]({base}/{other})\n\n"
        "## Commits\n\n- Commit abc: Fix it\n\n"
        "## Comments\n\n### Ken, 2026-03-01\n\nSeen in *production*\n"
    )


@pytest.mark.parametrize("tells_closed", [True, False])
def test_a_closed_issue_is_known_as_such(
    tracker: Tracker, opened: Open, tells_closed: bool
) -> None:
    """Redmine 4 tells it of statuses alone."""
    tracker.tells_closed = tells_closed
    made = tracker.issue("Done", status={**named("Closed"), "is_closed": True})
    facts = read_document(texts(opened())[f"issues/{made}.md"])
    assert facts is not None
    assert facts.is_closed


def test_a_wiki_page_has_its_place_version_and_original(
    tracker: Tracker, opened: Open
) -> None:
    tracker.page("Wiki", "h1. Welcome\n\n[[Payment flow]]")
    tracker.page("Payment_flow", "old", parent="Wiki")
    tracker.page("Payment_flow", "Pay *twice*", parent="Wiki")
    found = texts(opened())
    text = found["wiki/Wiki/Payment flow.md"]
    facts = read_document(text)
    assert facts is not None
    assert (facts.kind, facts.place) == ("page", ("Web shop", "Wiki", "Wiki"))
    assert (facts.author, facts.version) == ("Mio", "2")
    assert facts.url.endswith("/redmine/projects/shop/wiki/Payment_flow?version=2")
    assert text.endswith("---\n\n# Payment flow\n\nPay **twice**\n")
    assert found["wiki/Wiki.md"].endswith(
        "---\n\n# Welcome\n\n[Payment flow](Wiki/Payment%20flow.md)\n"
    )


def test_versions_files_and_the_project_are_read(
    tracker: Tracker, opened: Open
) -> None:
    number = tracker.version(
        "1.2/beta",
        description="Faster",
        status="closed",
        due_date="2026-05-01",
        wiki_page_title="Notes",
        custom_fields=[{"id": 1, "name": "Codename", "value": "Owl"}],
    )
    version = {"version": {"id": number, "name": "1.2/beta"}}
    tracker.offered = [
        tracker.file("list.csv", b"a,b") | version,
        tracker.file("all.zip", b"PK"),
    ]
    found = texts(opened())
    assert found["files/1.2∕beta/list.csv"] == "a,b"
    assert found["files/all.zip"] == "PK"
    assert found["project.md"].endswith("# Web shop\n\nSells things.\n")
    text = found["versions/1.2∕beta.md"]
    assert "- Status: closed\n- Due date: 2026-05-01\n- Wiki page: [Notes](" in text
    assert text.endswith("- Codename: Owl\n\nFaster\n")
    facts = read_document(text)
    assert facts is not None
    assert facts.is_closed


def test_news_are_read_by_choice(tracker: Tracker, opened: Open) -> None:
    for number in range(130):
        tracker.tell(f"News {number}", "Shop is *open*")
    assert not any(path.startswith("news/") for path in texts(opened()))
    found = texts(opened(read_news=True))
    assert sum(path.startswith("news/") for path in found) == 130
    assert found["news/News 7.md"].endswith("# News 7\n\nShop is **open**\n")


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("تقرير_✓_🚀", "wiki/تقرير ✓ 🚀.md"),
        ("A\u202eb", "wiki/A b.md"),
        ("文" * 250, None),
        ("..", "wiki/untitled.md"),
    ],
)
def test_titles_become_names(
    tracker: Tracker, opened: Open, title: str, path: str | None
) -> None:
    tracker.page(title)
    tracker.issue(title)
    (found,) = [each for each in texts(opened()) if each.startswith("wiki/")]
    assert path is None or found == path
    assert len(found.rpartition("/")[2].encode()) < 255


def test_parents_that_run_in_a_circle_end(tracker: Tracker, opened: Open) -> None:
    tracker.page("First", parent="Second")
    tracker.page("Second", parent="First")
    assert {"wiki/Second/First.md", "wiki/First/Second.md"} <= texts(opened()).keys()


def test_dates_that_are_none_are_not_known(tracker: Tracker, opened: Open) -> None:
    fill(tracker, 120)
    for issue in tracker.issues.values():
        issue["updated_on"] = "31 February"
    found = texts(opened())
    assert sum(path.startswith("issues/") for path in found) == 120
    facts = read_document(found["issues/1.md"])
    assert facts is not None
    assert facts.changed_at is None


# -- the format of texts --


@pytest.mark.parametrize(
    ("help_page", "expected"),
    [
        (b"<tr><td>h1. Title 1</td></tr>", "a **b**"),
        (b"<tr><td># Title 1</td><td>## Title 2</td></tr>", "a *b*"),
    ],
)
def test_the_server_tells_the_format(
    tracker: Tracker, opened: Open, help_page: bytes, expected: str
) -> None:
    tracker.help = help_page
    tracker.page("Plain", "a *b*")
    assert texts(opened())["wiki/Plain.md"].endswith(f"\n{expected}\n")


def test_else_most_issues_tell_it(tracker: Tracker, opened: Open) -> None:
    tracker.page("Plain", "a *b*")
    tracker.issue("In Markdown", "## Title\n\n- a\n- `b`")
    assert texts(opened())["wiki/Plain.md"].endswith("\na *b*\n")


# -- before anything is read --


def test_a_preview_counts_what_would_be_read(tracker: Tracker, opened: Open) -> None:
    fill(tracker, 12)
    tracker.page("A")
    left_out = ("Private issues and private notes are skipped.",)
    assert opened().preview() == Probe(
        "Web shop", (("tickets", 12), ("pages", 1), ("versions", 0)), left_out
    )
    tracker.modules = ("issue_tracking",)
    assert opened(read_restricted=True).preview() == Probe(
        "Web shop", (("tickets", 12), ("versions", 0)), ()
    )


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_without_rights_is_told_by_a_probe(
    tracker: Tracker, opened: Open, status: int
) -> None:
    tracker.faults = [lambda *_: (status, {}, {})]
    with pytest.raises(PermissionDenied):
        opened().probe()


def test_a_wrong_key_is_told_though_anybody_may_read(
    tracker: Tracker, opened: Open
) -> None:
    tracker.is_public = True
    with pytest.raises(PermissionDenied, match="rejected the token"):
        opened({"credentials": Credentials("", "wrong")}).probe()
    opened({"credentials": Credentials()}).probe()


def test_a_project_that_is_not_there(tracker: Tracker, opened: Open) -> None:
    connector = opened()
    tracker.key = "other"
    with pytest.raises(NotFound):
        connector.probe()


def test_the_key_goes_in_a_header_alone(tracker: Tracker, opened: Open) -> None:
    made = tracker.issue("Guide")
    tracker.attach(tracker.issues[made], "a.txt", b"a")
    connector = opened({"credentials": Credentials("someone", KEY)})
    assert texts(connector)[f"issues/{made}/a.txt"] == "a"
    assert KEY not in "".join(tracker.requests)


def test_the_network_is_not_touched_when_it_is_opened(tmp_path: Any) -> None:
    url = "https://nowhere.invalid/projects/shop"
    open_connector("redmine", {"url": url}, ConnectorContext(tmp_path)).close()
