"""A repository as a source: what is read of its tickets, and what of them is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.core.errors import NotFound, PermissionDenied
from devrag.sources.api import read_document
from devrag.sources.connectors import ConnectorContext, Credentials, open_connector
from devrag.sources.connectors.pages.types import Probe
from devrag.sources.selection import Selection
from tests.sources.github.github_server import TOKEN, Hub, fill
from tests.sources.pages.reading import Open, later, texts, unlisted
from tests.sources.tickets.listing import Json

C1, C2 = "1234567890" * 4, "abcdef1234" * 4


def body_of(text: str) -> str:
    return text.partition("---\n\n")[2]


def test_an_issue_has_its_facts_text_and_comments(
    hub: Hub, opened: Open, url: str
) -> None:
    made = hub.issue(
        "Card is  charged twice",
        "<!-- Tell us what happened -->\r\nPress *Pay* twice\r\n",
        labels=[{"name": "bug"}, {"name": "payments"}],
        assignees=[{"login": "ken"}, {"login": "mio"}],
        milestone={"title": "1.2"},
    )
    hub.comment(made, f"Since commit 0ddba11, see {url}/commit/{C1}")
    hub.comment(made, " ")
    found = texts(opened())
    assert found.keys() == {f"issues/{made}.md"}
    text = found[f"issues/{made}.md"]
    facts = read_document(text)
    assert facts is not None
    assert facts.title == f"Issue #{made}: Card is charged twice"
    assert (facts.kind, facts.place) == ("ticket", ("acme/shop",))
    assert (facts.status, facts.is_closed, facts.author) == ("open", False, "aoi")
    assert facts.labels == ("bug", "payments")
    assert facts.changed_at == facts.created_at == hub.clock
    assert facts.url == f"{url}/issues/{made}"
    assert body_of(text) == (
        f"# Issue #{made}: Card is charged twice\n\n"
        "- Status: open\n- Labels: bug, payments\n- Assignees: ken, mio\n"
        "- Milestone: 1.2\n\n"
        "Press *Pay* twice\n\n"
        f"## Commits\n\n- Commit [0ddba11]({url}/commit/0ddba11)\n"
        f"- Commit [{C1}]({url}/commit/{C1})\n\n"
        "## Comments\n\n### ken, 2026-03-01\n\n"
        f"Since commit 0ddba11, see {url}/commit/{C1}\n"
    )


def test_a_pull_request_has_its_branches_commit_and_comments_on_lines(
    hub: Hub, opened: Open, url: str
) -> None:
    made = hub.pull("Charge once", requested_reviewers=[{"login": "mio"}])
    hub.review(made, "Why here?")
    hub.comment(made, f"Also in {C2}")
    hub.merge(made, C1)
    text = texts(opened())[f"pulls/{made}.md"]
    facts = read_document(text)
    assert facts is not None
    assert facts.title == f"Pull request #{made}: Charge once"
    assert (facts.status, facts.is_closed) == ("merged", True)
    assert facts.url == f"{url}/pull/{made}"
    assert body_of(text) == (
        f"# Pull request #{made}: Charge once\n\n"
        "- Status: merged\n- Reviewers: mio\n"
        "- Branches: acme:feature into acme:main\n"
        f"- Head commit: {'a' * 40}\n- Merge commit: {C1}\n\nText\n\n"
        f"## Commits\n\n- Commit [{C1}]({url}/commit/{C1})\n"
        f"- Commit [{C2}]({url}/commit/{C2})\n\n"
        "## Comments\n\n### ken, 2026-03-01\n\n"
        f"Also in {C2}\n\n"
        "### mio, 2026-03-01, on `src/pay.py:12`\n\nWhy here?\n"
    )


def test_the_commit_of_a_trial_merge_is_not_told(hub: Hub, opened: Open) -> None:
    made = hub.pull("Charge once", draft=True)
    hub.issues[made]["draft"] = True
    text = texts(opened())[f"pulls/{made}.md"]
    assert "f" * 40 not in text
    assert "\n- Draft: yes\n" in text


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("not_planned", "closed (not planned)"),
        ("completed", "closed"),
        (None, "closed"),
    ],
)
def test_a_closed_issue_says_why(
    hub: Hub, opened: Open, reason: str | None, expected: str
) -> None:
    made = hub.issue("Done", None, state="closed", state_reason=reason)
    text = texts(opened())[f"issues/{made}.md"]
    facts = read_document(text)
    assert facts is not None
    assert (facts.status, facts.is_closed) == ("closed", True)
    assert f"\n- Status: {expected}\n" in text


def test_comments_are_left_out_by_choice(hub: Hub, opened: Open) -> None:
    made = hub.pull("Charge once")
    hub.comment(made, "Said")
    hub.review(made, "Why?")
    found = texts(opened(read_comments=False))
    assert "Comments" not in found[f"pulls/{made}.md"]
    assert not hub.kinds_of_requests().keys() & {"issues/comments", "pulls/comments"}


def test_few_requests_read_a_whole_repository(hub: Hub, opened: Open) -> None:
    fill(hub, 300)
    assert len(texts(opened())) == 300
    kinds = hub.kinds_of_requests()
    # 300 tickets, 100 of them pull requests, 150 comments, 50 on lines; the first of a
    # page after another is the last one of that.
    assert kinds == {
        "": 1,
        "issues": 4,
        "pulls": 1,
        "issues/comments": 2,
        "pulls/comments": 1,
    }


@pytest.mark.parametrize(
    "title", ["تقرير الدفع", "Fails 🚀👩‍💻", "A\u202eb\x00", "文" * 250, ""]
)
def test_odd_titles_are_kept(hub: Hub, opened: Open, title: str) -> None:
    made = hub.issue(title, title)
    text = texts(opened())[f"issues/{made}.md"]
    facts = read_document(text)
    assert facts is not None
    assert facts.title.startswith(f"Issue #{made}:")
    assert title.replace("\x00", "")[:100] in facts.title


def test_two_tickets_of_one_title_are_two(hub: Hub, opened: Open) -> None:
    made = {hub.issue("Same"), hub.issue("Same")}
    assert texts(opened()).keys() == {f"issues/{number}.md" for number in made}


def test_dates_that_are_none_are_not_known(hub: Hub, opened: Open) -> None:
    fill(hub, 220)
    for rows in (hub.issues, hub.pulls, hub.comments):
        for each in rows.values():
            each["updated_at"] = each["created_at"] = "31 February"
    found = texts(opened())
    assert len(found) == 220
    facts = read_document(found["pulls/1.md"])
    assert facts is not None
    assert facts.changed_at is None


def test_what_is_missing_everywhere_is_no_failure(hub: Hub, opened: Open) -> None:
    made = hub.issue("Bare")
    bare: Json = {"id": 7, "number": made, "user": None, "labels": "?", "assignees": {}}
    hub.issues[made] = bare
    hub.issues[99] = {"id": 8, "title": "without a number"}
    hub.comments[1] = {"id": 1, "issue_url": None, "body": "of nothing"}
    for each in (hub.issues[made], hub.issues[99], hub.comments[1]):
        each["updated_at"] = None
    assert texts(opened()).keys() == {f"issues/{made}.md"}


@pytest.mark.slow
def test_what_is_too_large_is_left_out(hub: Hub, opened: Open) -> None:
    made = hub.issue("Dump", "x" * 20_000_000)
    much, little = hub.issue("Talk"), hub.issue("Little")
    for _ in range(9):
        hub.comment(much, "y" * 200_000)
    connector = opened({"selection": Selection(max_bytes=1_000_000)})
    assert texts(connector).keys() == {f"issues/{little}.md"}
    assert unlisted(connector) == {
        (f"issues/{made}.md", "too large (20.0 MB)"),
        (f"issues/{much}.md", "too large (1.8 MB)"),
    }


# -- before anything is read --


def test_a_preview_counts_what_would_be_read(hub: Hub, opened: Open) -> None:
    fill(hub, 12)
    assert opened().preview() == Probe(
        "acme/shop", (("issues", 8), ("pull requests", 4))
    )


@pytest.mark.parametrize("status", [404, 410])
def test_without_issues_its_pull_requests_are_read(
    hub: Hub, opened: Open, status: int
) -> None:
    fill(hub, 12)
    hub.has_issues, hub.turned_off = False, status
    connector = opened()
    assert connector.preview() == Probe(
        "acme/shop",
        (("issues", 0), ("pull requests", 4)),
        ("Issues are turned off in this repository.",),
    )
    assert {path.partition("/")[0] for path in texts(connector)} == {"pulls"}
    assert len(texts(connector)) == 4


def test_a_wrong_token_is_told_though_anybody_may_read(hub: Hub, opened: Open) -> None:
    hub.is_public = True
    hub.issue("Open")
    with pytest.raises(PermissionDenied, match="Bad credentials"):
        opened({"credentials": Credentials("", "wrong")}).probe()
    assert len(texts(opened({"credentials": Credentials()}))) == 1


def test_issues_that_are_not_found_end_the_run(hub: Hub, opened: Open) -> None:
    """Where they are turned on, a token may not see them: nothing is deleted."""
    hub.issue("Here")
    connector = opened()
    before = connector.resolve()
    later(hub, hours=25)
    hub.faults = [lambda _, path: (404, {}, {}) if "/issues?" in path else None]
    with pytest.raises(NotFound):
        connector.resolve()
    hub.faults.clear()
    assert connector.resolve().identifier == before.identifier


def test_a_token_without_the_permission_is_told(hub: Hub, opened: Open) -> None:
    said = {"message": "Resource not accessible by personal access token"}
    hub.faults = [lambda _, path: (403, said, {}) if "/pulls" in path else None]
    with pytest.raises(PermissionDenied, match="not accessible by personal"):
        opened().probe()


def test_a_repository_that_is_not_there_or_moved(hub: Hub, opened: Open) -> None:
    connector = opened()
    hub.key = "acme/other"
    with pytest.raises(NotFound):
        connector.probe()
    hub.faults = [lambda *_: (301, {}, {"Location": "https://api.github.com/x"})]
    with pytest.raises(Exception, match="redirects to another URL"):
        connector.probe()


def test_the_token_goes_in_a_header_to_this_host_alone(hub: Hub, opened: Open) -> None:
    """Links name another host: their parameters alone are taken."""
    for number in range(250):
        hub.issue(f"Imported {number}")  # of one second, so that links are followed
    assert len(texts(opened())) == 250
    assert TOKEN not in "".join(hub.requests)
    assert any("page=3" in path for path in hub.requests)


def test_the_network_is_not_touched_when_it_is_opened(tmp_path: Path) -> None:
    url = "https://nowhere.invalid/acme/shop"
    open_connector("github", {"url": url}, ConnectorContext(tmp_path)).close()
