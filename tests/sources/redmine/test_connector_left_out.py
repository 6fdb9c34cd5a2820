"""What is left out, and the files of what is read."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.core.errors import InvalidInput
from devrag.sources.api import read_document
from devrag.sources.selection import Selection
from tests.sources.pages.reading import Open, texts, unlisted
from tests.sources.redmine.redmine_server import Tracker, fill


@pytest.mark.parametrize("told", [{"is_private": True}, {"is_private": None}])
def test_private_issues_are_left_out(
    tracker: Tracker, opened: Open, told: dict[str, Any]
) -> None:
    secret = tracker.issue("Salaries", **told)
    tracker.attach(tracker.issues[secret], "list.txt", b"gold")
    connector = opened()
    assert set(texts(connector)) == {"project.md"}
    assert unlisted(connector) == {(f"issues/private/{secret}.md", "private issue")}
    assert not any(f"/issues/{secret}" in path for path in tracker.requests)
    found = texts(opened(read_restricted=True))
    assert found[f"issues/{secret}/list.txt"] == "gold"


def test_private_notes_are_left_out(tracker: Tracker, opened: Open) -> None:
    made = tracker.issue("Open")
    tracker.note(made, "Everybody reads this")
    tracker.note(made, "Salaries", private_notes=True)
    tracker.note(made, "Of nobody knows whom", private_notes=None)
    text = texts(opened())[f"issues/{made}.md"]
    assert "Everybody" in text
    assert "Salaries" not in text
    assert "nobody" not in text
    assert "Salaries" in texts(opened(read_restricted=True))[f"issues/{made}.md"]


def test_without_notes_issues_are_read_from_the_list(
    tracker: Tracker, opened: Open
) -> None:
    fill(tracker, 150)
    tracker.attach(tracker.issues[1], "a.txt", b"a")
    found = texts(opened(read_comments=False))
    assert "Comments" not in found["issues/2.md"]
    assert "issues/1/a.txt" in found
    assert not any("/issues/" in path for path in tracker.requests)


@pytest.mark.slow
def test_a_page_of_20_megabytes_is_named_and_left_out(
    tracker: Tracker, opened: Open
) -> None:
    tracker.page("Huge", "x" * 20_000_000)
    made = tracker.issue("Long", "x" * 3_000_000)
    connector = opened({"selection": Selection(max_bytes=2_000_000)})
    assert set(texts(connector)) == {"project.md"}
    assert unlisted(connector) == {
        ("wiki/Huge.md", "too large (20.0 MB)"),
        (f"issues/{made}.md", "too large (3.0 MB)"),
    }


@pytest.mark.slow
def test_an_answer_beyond_the_bound_is_read_in_parts(
    tracker: Tracker, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "devrag.sources.connectors.pages.client._MAX_ANSWER_BYTES", 100_000
    )
    for number in range(30):
        tracker.issue(f"Long {number}", "x " * 20_000)
    tracker.issue("Longer", "x " * 60_000)
    tracker.issue("Last")
    found = texts(opened())
    assert sum(path.startswith("issues/") for path in found) == 31
    assert "issues/32.md" in found


def test_a_project_beyond_the_bound_is_refused_before_it_is_read(
    tracker: Tracker, opened: Open
) -> None:
    fill(tracker, 200)
    with pytest.raises(InvalidInput, match="more than 150 pages"):
        opened({"max_files": 150}).resolve()
    assert not any("/issues/" in path for path in tracker.requests)


def test_what_cannot_be_converted_is_named(
    tracker: Tracker, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise ValueError

    made = tracker.issue("Odd")
    tracker.page("Odd")
    tracker.version("Odd")
    name = "devrag.sources.connectors.redmine.document.to_markdown"
    monkeypatch.setattr(name, fail)
    reason = "cannot be converted (ValueError)"
    paths = ("project.md", f"issues/{made}.md", "wiki/Odd.md", "versions/Odd.md")
    assert unlisted(opened()) == {(path, reason) for path in paths}


# -- attachments --


def test_attachments_lie_beside_what_they_belong_to(
    tracker: Tracker, opened: Open
) -> None:
    made = tracker.issue("Guide")
    tracker.page("Guide")
    tracker.attach(tracker.issues[made], "set up.csv", b"a,b", "text/csv")
    tracker.attach(tracker.issues[made], "shot.png", b"\x89PNG", "image/png")
    tracker.attach(tracker.pages["Guide"], "a.pdf", b"%PDF", "application/pdf")
    connector = opened()
    found = texts(connector)
    assert found[f"issues/{made}/set up.csv"] == "a,b"
    assert found["wiki/Guide/a.pdf"] == "%PDF"
    assert unlisted(connector) == {(f"issues/{made}/shot.png", "no text (image/png)")}
    found = texts(opened(read_attachments=False))
    assert set(found) == {"project.md", f"issues/{made}.md", "wiki/Guide.md"}


def test_an_attachment_cannot_pass_for_a_page(tracker: Tracker, opened: Open) -> None:
    tracker.page("Plans")
    head = b'---\ntitle: "T"\nauthor: "Boss"\n---\nText'
    tracker.attach(tracker.pages["Plans"], "forged.md", head)
    found = texts(opened())["wiki/Plans/forged.md"]
    assert "Boss" in found
    assert read_document(found) is None


def test_an_attachment_that_grew_or_went_is_left_out(
    tracker: Tracker, opened: Open
) -> None:
    made = tracker.issue("Guide")
    big = tracker.attach(tracker.issues[made], "big.txt", b"x" * 2_000)
    lost = tracker.attach(tracker.issues[made], "lost.txt", b"x")
    del tracker.files[f"/attachments/download/{lost}"]
    tracker.files[f"/attachments/download/{big}"] *= 10
    found = texts(opened({"selection": Selection(max_bytes=3_000)}))
    assert set(found) == {"project.md", f"issues/{made}.md"}
