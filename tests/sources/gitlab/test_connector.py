"""A project as a source: what is read of its tickets, and what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.core.errors import InvalidInput, NotFound, PermissionDenied, SourceError
from devrag.sources.api import read_document
from devrag.sources.connectors import ConnectorContext, Credentials, open_connector
from devrag.sources.connectors.pages.types import Probe
from devrag.sources.selection import Selection
from tests.sources.gitlab.gitlab_server import TOKEN, Lab, fill, serving
from tests.sources.pages.reading import Open, later, opening, texts, unlisted
from tests.sources.tickets.listing import Json

C1, C2 = "1234567890" * 4, "abcdef1234" * 4
LEFT_OUT = "Confidential issues and internal notes are skipped."


def body_of(text: str) -> str:
    return text.partition("---\n\n")[2]


def test_an_issue_has_its_facts_text_and_notes(
    lab: Lab, opened: Open, url: str
) -> None:
    made = lab.issue(
        "Card is  charged twice",
        "<!-- Tell us what\r\nhappened --> \r\nPress *Pay* twice\r\n",
        issue_type="incident",
        labels=["bug", "payments"],
        assignees=[{"id": 3, "name": "Mio Abe"}],
        milestone={"title": "1.2"},
        due_date="2026-05-01",
        weight=3,
    )
    lab.note("issues", made, f"See {url}/-/commit/{C1}")
    lab.note("issues", made, "changed the milestone to %1.2", system=True)
    found = texts(opened())
    assert found.keys() == {f"issues/{made}.md"}
    text = found[f"issues/{made}.md"]
    facts = read_document(text)
    assert facts is not None
    assert facts.title == f"Incident #{made}: Card is charged twice"
    assert (facts.kind, facts.place) == ("ticket", ("acme/web/shop",))
    assert (facts.status, facts.is_closed, facts.author) == (
        "open",
        False,
        "Aoi Tanaka",
    )
    assert facts.labels == ("bug", "payments")
    assert facts.changed_at == lab.clock.replace(microsecond=123_000)
    assert facts.url == f"{url}/-/issues/{made}"
    assert body_of(text) == (
        f"# Incident #{made}: Card is charged twice\n\n"
        "- Status: open\n- Labels: bug, payments\n- Assignees: Mio Abe\n"
        "- Milestone: 1.2\n- Due date: 2026-05-01\n- Weight: 3\n\n"
        "Press *Pay* twice\n\n"
        f"## Commits\n\n- Commit [{C1}]({url}/-/commit/{C1})\n\n"
        f"## Comments\n\n### Ken Sato, 2026-03-01\n\nSee {url}/-/commit/{C1}\n"
    )


def test_a_merge_request_has_its_branches_commits_and_notes_on_lines(
    lab: Lab, opened: Open, url: str
) -> None:
    made = lab.merge_request("Charge once", state="merged", merge_commit_sha=C1)
    lab.issue("Of the same number")
    lab.merge_requests[made] |= {
        "squash_commit_sha": C2,
        "reviewers": [{"name": "Mio"}],
    }
    place = {"new_path": "src/pay.py", "new_line": 12, "old_path": "src/pay.py"}
    lab.note("merge_requests", made, "Why here?", position=place)
    found = texts(opened())
    assert found.keys() == {f"merge_requests/{made}.md", f"issues/{made}.md"}
    text = found[f"merge_requests/{made}.md"]
    facts = read_document(text)
    assert facts is not None
    assert facts.title == f"Merge request !{made}: Charge once"
    assert (facts.status, facts.is_closed) == ("merged", True)
    assert facts.url == f"{url}/-/merge_requests/{made}"
    assert body_of(text) == (
        f"# Merge request !{made}: Charge once\n\n"
        "- Status: merged\n- Reviewers: Mio\n- Branches: feature into main\n"
        f"- Head commit: {'a' * 40}\n- Merge commit: {C1}\n- Squash commit: {C2}\n\n"
        "Text\n\n"
        f"## Commits\n\n- Commit [{C1}]({url}/-/commit/{C1})\n"
        f"- Commit [{C2}]({url}/-/commit/{C2})\n\n"
        "## Comments\n\n### Ken Sato, 2026-03-01, on `src/pay.py:12`\n\nWhy here?\n"
    )


def test_notes_are_asked_for_only_where_there_are_some(lab: Lab, opened: Open) -> None:
    fill(lab, 12)
    texts(opened())
    notes = {path for path in lab.kinds_of_requests() if path.endswith("/notes")}
    assert len(notes) == 6
    lab.requests.clear()
    found = texts(opened(read_comments=False))
    assert len(lab.requests) == 3
    assert not any("Comments" in each for each in found.values())


def test_more_notes_than_an_answer_has_are_read(lab: Lab, opened: Open) -> None:
    made = lab.issue("Talk")
    for number in range(230):
        lab.note("issues", made, f"Note {number}.")
    text = texts(opened())[f"issues/{made}.md"]
    assert text.count("### Ken Sato") == 230


# -- what is left out --


def test_confidential_issues_and_internal_notes_are_left_out(
    lab: Lab, opened: Open
) -> None:
    hidden, told = lab.issue("Salaries", confidential=True), lab.issue("Fine")
    lab.note("issues", told, "Between us", internal=True)
    lab.note("issues", told, "Between us, in old versions", confidential=True)
    del lab.note("issues", told, "Between us, as far as one knows")["internal"]
    lab.note("issues", told, "For all")
    connector = opened()
    found = texts(connector)
    assert found.keys() == {f"issues/{told}.md"}
    assert "Between us" not in found[f"issues/{told}.md"]
    assert "For all" in found[f"issues/{told}.md"]
    assert unlisted(connector) == {
        (f"issues/confidential/{hidden}.md", "confidential issue")
    }
    assert f"issues/{hidden}/notes" not in lab.kinds_of_requests()
    assert connector.preview().notes == (LEFT_OUT,)
    restricted = opened(read_restricted=True)
    found = texts(restricted)
    assert "\n- Confidential: yes\n" in found[f"issues/{hidden}.md"]
    assert found[f"issues/{told}.md"].count("Between us") == 3
    assert restricted.preview().notes == ()


def test_an_issue_of_which_it_is_not_told_is_left_out(lab: Lab, opened: Open) -> None:
    made = lab.issue("Plans")
    del lab.issues[made]["confidential"]
    assert texts(opened()) == {}


def test_an_issue_that_becomes_confidential_goes(lab: Lab, opened: Open) -> None:
    made = lab.issue("Plans")
    connector = opened()
    assert texts(connector)
    later(lab)
    lab.edit("issues", made, confidential=True)
    assert texts(connector) == {}
    later(lab)
    lab.edit("issues", made, confidential=False)
    assert f"issues/{made}.md" in texts(connector)


# -- odd tickets --


@pytest.mark.parametrize(
    "title", ["تقرير الدفع", "Fails 🚀👩‍💻", "A\u202eb\x00", "文" * 250, ""]
)
def test_odd_titles_are_kept(lab: Lab, opened: Open, title: str) -> None:
    made = lab.issue(title, title)
    facts = read_document(texts(opened())[f"issues/{made}.md"])
    assert facts is not None
    assert facts.title.startswith(f"Issue #{made}:")
    assert title.replace("\x00", "")[:100] in facts.title


def test_dates_that_are_none_are_not_known(lab: Lab, opened: Open) -> None:
    fill(lab, 320)
    for rows in (lab.issues, lab.merge_requests):
        for each in rows.values():
            each["updated_at"] = each["created_at"] = "31 February"
    found = texts(opened())
    assert len(found) == 320
    facts = read_document(found["issues/1.md"])
    assert facts is not None
    assert facts.changed_at is None


def test_what_is_missing_everywhere_is_no_failure(lab: Lab, opened: Open) -> None:
    made = lab.issue("Bare")
    bare: Json = {"id": 7, "iid": made, "author": None, "labels": {}, "assignees": "?"}
    lab.issues[made] = {**bare, "confidential": False, "updated_at": lab.now}
    lab.issues[99] = {"id": 8, "title": "without a number", "updated_at": lab.now}
    lab.notes["issues", made] = [{"id": 1, "system": False, "body": None}]
    assert texts(opened()).keys() == {f"issues/{made}.md"}


@pytest.mark.slow
def test_what_is_too_large_is_left_out(lab: Lab, opened: Open) -> None:
    made = lab.issue("Dump", "x" * 20_000_000)
    much, little = lab.issue("Talk"), lab.issue("Little")
    for _ in range(250):
        lab.note("issues", much, "y" * 20_000)
    connector = opened({"selection": Selection(max_bytes=1_000_000)})
    assert texts(connector).keys() == {f"issues/{little}.md"}
    assert unlisted(connector) == {
        (f"issues/{made}.md", "too large (20.0 MB)"),
        (f"issues/{much}.md", "too large (2.0 MB)"),  # the rest is not asked for
    }


# -- before anything is read --


def test_a_preview_counts_what_would_be_read(lab: Lab, opened: Open) -> None:
    fill(lab, 12)
    assert opened().preview() == Probe(
        "acme/web/shop", (("issues", 8), ("merge requests", 4)), (LEFT_OUT,)
    )


def test_what_is_turned_off_is_not_asked_for(lab: Lab, opened: Open) -> None:
    fill(lab, 12)
    connector = opened()
    assert len(texts(connector)) == 12
    lab.features["issues"] = "disabled"
    assert connector.preview() == Probe(
        "acme/web/shop",
        (("merge requests", 4),),
        (LEFT_OUT, "Issues are turned off in this project."),
    )
    assert {path.partition("/")[0] for path in texts(connector)} == {"merge_requests"}
    lab.features["merge_requests"] = "disabled"
    with pytest.raises(InvalidInput, match="Issues and merge requests are turned off"):
        connector.probe()


@pytest.mark.parametrize("status", [403, 404])
def test_what_may_not_be_listed_ends_the_run_and_deletes_nothing(
    lab: Lab, opened: Open, status: int
) -> None:
    """Else a token that lost its role would seem to empty the project."""
    fill(lab, 12)
    connector = opened()
    before = connector.resolve()
    later(lab, hours=25)
    lab.faults = [lambda _, path: (status, {}, {}) if "/issues?" in path else None]
    for ask in (connector.probe, connector.resolve):
        with pytest.raises(SourceError, match="Cannot list the issues of the project"):
            ask()
    lab.faults.clear()
    assert connector.resolve().identifier == before.identifier


def test_a_wrong_token_is_told_though_anybody_may_read(lab: Lab, opened: Open) -> None:
    lab.is_public = True
    lab.issue("Open")
    with pytest.raises(PermissionDenied, match="401 Unauthorized"):
        opened({"credentials": Credentials("", "wrong")}).probe()
    assert len(texts(opened({"credentials": Credentials()}))) == 1


def test_a_project_that_is_not_there(lab: Lab, opened: Open) -> None:
    connector = opened()
    lab.key = "acme/other"
    with pytest.raises(NotFound, match="Project Not Found"):
        connector.probe()


def test_a_server_that_is_no_gitlab(lab: Lab, opened: Open) -> None:
    lab.faults = [lambda *_: (200, {"message": "hello"}, {})]
    with pytest.raises(SourceError, match="does not respond like GitLab"):
        opened().resolve()


def test_below_a_path_of_its_host_it_is_read_too(lab: Lab, tmp_path: Path) -> None:
    lab.issue("Here")
    with serving(lab, prefix="/gitlab") as url:
        base = url.removesuffix(f"/{lab.key}")
        api = f"{base}/api/v4/projects/acme%2Fweb%2Fshop"
        with opening("gitlab", api, TOKEN, tmp_path) as connect:
            assert f"{url}/-/issues/1" in texts(connect())["issues/1.md"]


def test_the_token_goes_in_a_header_to_this_host_alone(lab: Lab, opened: Open) -> None:
    """Links name another host: their parameters alone are taken."""
    for number in range(250):
        lab.issue(f"Imported {number}")  # at one time, so that links are followed
    assert len(texts(opened())) == 250
    assert TOKEN not in "".join(lab.requests)
    assert any("page=3" in path for path in lab.requests)


def test_the_network_is_not_touched_when_it_is_opened(tmp_path: Path) -> None:
    url = "https://nowhere.invalid/acme/shop"
    open_connector("gitlab", {"url": url}, ConnectorContext(tmp_path)).close()
