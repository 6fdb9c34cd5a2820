"""A space as a source: what is read, what changes, what is left out."""

from __future__ import annotations

import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import InvalidInput, NotFound, PermissionDenied, SourceError
from devrag.sources.api import read_document
from devrag.sources.connectors import (
    ConnectorContext,
    Credentials,
    open_connector,
)
from devrag.sources.connectors.pages.types import Probe
from devrag.sources.selection import Selection
from tests.sources.confluence.confluence_server import TOKEN, Wiki, fill
from tests.sources.pages.api_app import Reply
from tests.sources.pages.faulty_server import once
from tests.sources.pages.reading import (
    Open,
    changes,
    later,
    read_in_process,
    texts,
    unlisted,
)

SEARCH = "/rest/api/content/search"


def test_a_page_has_its_place_author_labels_and_original(
    wiki: Wiki, opened: Open
) -> None:
    above = wiki.page("Architecture", parent="1")
    page = wiki.page(
        "Payment flow", "<p>Pay</p>", parent=above, labels=("b", "a"), author="Mio"
    )
    text = texts(opened())["ENG/Architecture/Payment flow.md"]
    facts = read_document(text)
    assert facts is not None
    assert facts.place == ("Engineering", "Architecture")
    assert (facts.author, facts.labels, facts.version) == ("Mio", ("a", "b"), "1")
    assert facts.changed_at == facts.created_at == wiki.clock
    assert facts.url.endswith(f"/wiki/spaces/ENG/pages/{page}/Payment%20flow")
    assert text.endswith("---\n\n# Payment flow\n\nPay\n")


def test_blog_posts_lie_in_a_folder_of_their_own(wiki: Wiki, opened: Open) -> None:
    wiki.page("Release\n2", kind="blogpost")
    text = texts(opened())["ENG/Blog/Release 2.md"]
    assert "\n# Release 2\n" in text


def test_links_lead_to_the_pages_that_were_read(wiki: Wiki, opened: Open) -> None:
    wiki.page("Refunds", parent="1")
    link = '<p><ac:link><ri:page ri:content-title="Refunds" /></ac:link></p>'
    wiki.page("Payments", link, parent="1")
    connector = opened()
    assert "[Refunds](Refunds.md)" in texts(connector)["ENG/Payments.md"]
    later(wiki)
    wiki.page("Newer", link, parent="1")
    assert "[Refunds](Refunds.md)" in texts(connector)["ENG/Newer.md"]


def test_links_to_many_pages_are_asked_for_in_addresses_of_bounded_length(
    wiki: Wiki, opened: Open
) -> None:
    titles = [f"{'文' * 200} {number}" for number in range(12)]
    for title in titles:
        wiki.page(title, parent="1")
    later(wiki)
    connector = opened()
    connector.resolve()
    later(wiki)
    links = "".join(
        f'<ac:link><ri:page ri:content-title="{title}" /></ac:link>' for title in titles
    )
    wiki.page("Index", f"<p>{links}</p>", parent="1")
    assert texts(connector)["ENG/Index.md"].count(".md)") == len(titles)
    assert max(map(len, wiki.requests)) < 8_000


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("a/b\\c", "ENG/a∕b∕c.md"),
        ("..", "ENG/untitled.md"),
        ("  تقرير ✓ 🚀  ", "ENG/تقرير ✓ 🚀.md"),
        ("a\u202eb\nc", "ENG/a b c.md"),
        ("文" * 250, None),
    ],
)
def test_titles_become_names(
    wiki: Wiki, opened: Open, title: str, path: str | None
) -> None:
    wiki.page(title, parent="1")
    (found,) = texts(opened()).keys() - {"ENG/Home.md"}
    assert path is None or found == path
    assert len(found.rpartition("/")[2].encode()) < 255


def test_two_pages_of_one_title_both_stay(wiki: Wiki, opened: Open) -> None:
    wiki.page("Notes", "<p>one</p>", parent="1")
    wiki.page("Notes", "<p>two</p>", parent="1")
    found = texts(opened())
    assert len(found) == 3
    assert {"one", "two"} <= {text.split()[-1] for text in found.values()}


def test_a_tree_that_runs_in_a_circle_ends(wiki: Wiki, opened: Open) -> None:
    first = wiki.page("First")
    second = wiki.page("Second", parent=first)
    wiki.content[first]["_parent"] = second
    assert len(texts(opened())) == 3


def test_dates_that_are_none_are_not_known(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Odd", parent="1")
    wiki.content[page]["version"]["when"] = "31 February"
    facts = read_document(texts(opened())["ENG/Odd.md"])
    assert facts is not None
    assert facts.changed_at is None


# -- runs after the first --


def test_a_run_without_changes_asks_twice(wiki: Wiki, opened: Open) -> None:
    fill(wiki, 30)
    connector = opened()
    before = connector.resolve().identifier
    later(wiki)
    assert connector.resolve().identifier == before
    assert wiki.kinds_of_requests() == {"/rest/api/space/ENG": 1, SEARCH: 1}


def test_only_what_changed_is_read_again(wiki: Wiki, opened: Open) -> None:
    fill(wiki, 120)
    connector = opened()
    before = connector.resolve().identifier
    later(wiki)
    changed = next(i for i, e in wiki.content.items() if e["title"] == "Page 7")
    wiki.edit(changed, "<p>Changed</p>")
    new = wiki.page("New", parent=changed)
    assert changes(connector, before) == (
        {"ENG/Page 7.md", "ENG/Page 7/New.md"},
        set(),
    )
    bodies = [path for path in wiki.requests if "body.storage" in path]
    assert len(bodies) == 1
    assert f"{changed}%2C{new}" in bodies[0]


def test_a_clock_far_from_ours_loses_nothing(wiki: Wiki, opened: Open) -> None:
    wiki.clock -= timedelta(days=800)
    connector = opened()
    connector.resolve()
    later(wiki, minutes=1)
    wiki.page("New", parent="1")
    assert "ENG/New.md" in texts(connector)


def test_a_clock_that_went_back_has_everything_listed(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Old", parent="1")
    connector = opened()
    connector.resolve()
    later(wiki, days=-30)
    wiki.delete(page)
    assert set(texts(connector)) == {"ENG/Home.md"}


def test_a_renamed_page_takes_along_what_lies_below(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Before", parent="1")
    below = wiki.page("Below", parent=page)
    wiki.attach(below, "notes.txt", b"notes")
    connector = opened()
    before = connector.resolve().identifier
    later(wiki)
    wiki.edit(page, title="After")
    entered, gone = changes(connector, before)
    assert gone == {
        "ENG/Before.md",
        "ENG/Before/Below.md",
        "ENG/Before/Below/notes.txt",
    }
    assert entered == {path.replace("Before", "After") for path in gone}


def test_a_day_later_moves_labels_and_deletions_are_seen(
    wiki: Wiki, opened: Open
) -> None:
    """None of them changes a date."""
    first, second = wiki.page("First", parent="1"), wiki.page("Second", parent="1")
    moved, labelled = wiki.page("Moved", parent=first), wiki.page("Labelled")
    later(wiki)
    connector = opened()
    before = connector.resolve().identifier
    later(wiki, hours=23)
    wiki.content[moved]["_parent"] = second
    wiki.content[labelled]["metadata"]["labels"]["results"] = [{"name": "new"}]
    wiki.delete(first)
    assert changes(connector, before) == (set(), set())
    later(wiki, hours=2)
    assert changes(connector, before) == (
        {"ENG/Labelled.md", "ENG/Second/Moved.md"},
        {"ENG/First.md", "ENG/First/Moved.md"},
    )


def test_pages_that_shift_while_they_are_listed_are_not_lost(
    wiki: Wiki, opened: Open
) -> None:
    fill(wiki, 450)
    connector = opened()
    connector.resolve()
    later(wiki, hours=25)
    oldest = next(iter(i for i, e in wiki.content.items() if e["title"] == "Page 1"))

    def delete_meanwhile(wiki: Wiki, path: str) -> None:
        if "start=200" in path and oldest in wiki.content:
            wiki.delete(oldest)

    wiki.faults = [delete_meanwhile]
    found = texts(connector)
    # The page at the border of two answers was in neither; it is asked for by its id.
    assert len(found) == len(wiki.content) + (oldest not in wiki.content)
    later(wiki, hours=25)
    assert len(texts(connector)) == len(wiki.content)


def test_what_another_token_reads_is_kept_apart(wiki: Wiki, opened: Open) -> None:
    assert set(texts(opened())) == {"ENG/Home.md"}
    other = {"credentials": Credentials("", "of-somebody-else")}
    with pytest.raises(PermissionDenied):
        texts(opened(other))
    wiki.requests.clear()
    assert set(texts(opened())) == {"ENG/Home.md"}
    assert not any("body.storage" in path for path in wiki.requests)


# -- what is left out --


def test_restricted_pages_are_left_out_with_what_lies_below(
    wiki: Wiki, opened: Open
) -> None:
    secret = wiki.page("Salaries", parent="1")
    below = wiki.page("Of directors", parent=secret)
    wiki.attach(below, "list.txt", b"secret")
    wiki.content[secret]["_restricted"] = True
    connector = opened()
    assert set(texts(connector)) == {"ENG/Home.md"}
    found = unlisted(connector)
    assert found == {
        (f"ENG/restricted/{page}.md", "restricted page") for page in (secret, below)
    }
    assert "ENG/Salaries.md" in texts(opened(read_restricted=True))


def test_a_page_below_a_restricted_one_that_changes_stays_out(
    wiki: Wiki, opened: Open
) -> None:
    secret = wiki.page("Salaries", parent="1")
    wiki.content[secret]["_restricted"] = True
    connector = opened()
    connector.resolve()
    later(wiki)
    wiki.page("Of directors", parent=secret)
    link = '<p><ac:link><ri:page ri:content-title="Of directors" /></ac:link></p>'
    wiki.page("Open", link, parent="1")
    found = texts(connector)
    assert set(found) == {"ENG/Home.md", "ENG/Open.md"}
    assert "Salaries" not in found["ENG/Open.md"]


def test_a_page_that_is_restricted_later_goes_within_a_day(
    wiki: Wiki, opened: Open
) -> None:
    page = wiki.page("Plans", parent="1")
    wiki.attach(page, "plan.txt", b"plan")
    connector = opened()
    assert "ENG/Plans/plan.txt" in texts(connector)
    later(wiki, hours=25)
    wiki.content[page]["_restricted"] = True
    assert set(texts(connector)) == {"ENG/Home.md"}
    later(wiki, hours=25)
    wiki.content[page]["_restricted"] = False
    assert set(texts(connector)) == {
        "ENG/Home.md",
        "ENG/Plans.md",
        "ENG/Plans/plan.txt",
    }


def test_a_page_that_is_edited_and_restricted_goes_at_once(
    wiki: Wiki, opened: Open
) -> None:
    page = wiki.page("Plans", parent="1")
    wiki.attach(page, "plan.txt", b"plan")
    wiki.page("Below", parent=page)
    connector = opened()
    connector.resolve()
    later(wiki)
    wiki.edit(page)
    wiki.content[page]["_restricted"] = True
    assert set(texts(connector)) == {"ENG/Home.md"}


def test_pages_whose_restrictions_are_not_told_are_left_out(
    wiki: Wiki, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = wiki.shown

    def without(content_id: str, expand: str) -> dict[str, Any]:
        found = shown(content_id, expand)
        found.pop("restrictions", None)
        return found

    monkeypatch.setattr(wiki, "shown", without)
    assert texts(opened()) == {}


@pytest.mark.parametrize(
    "told",
    [
        {"_expandable": {"read": ""}},
        {"read": {"restrictions": {"user": {"results": [], "size": 0}}}},
        {"read": {"restrictions": {"user": {}, "group": {}}}},
    ],
)
def test_pages_whose_restrictions_are_half_told_are_left_out(
    wiki: Wiki, opened: Open, monkeypatch: pytest.MonkeyPatch, told: dict[str, Any]
) -> None:
    shown = wiki.shown
    monkeypatch.setattr(
        wiki, "shown", lambda *asked: shown(*asked) | {"restrictions": told}
    )
    assert texts(opened()) == {}


def test_a_page_below_one_that_is_not_shown_is_left_out(
    wiki: Wiki, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = wiki.page("Salaries", parent="1")
    below = wiki.page("Of directors", parent=secret)
    find = wiki.find
    monkeypatch.setattr(
        wiki, "find", lambda cql: [each for each in find(cql) if each != secret]
    )
    connector = opened()
    assert set(texts(connector)) == {"ENG/Home.md"}
    assert unlisted(connector) == {(f"ENG/restricted/{below}.md", "restricted page")}


def test_a_page_that_cannot_be_converted_is_named(
    wiki: Wiki, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise ValueError

    monkeypatch.setattr(
        "devrag.sources.connectors.confluence.reader.page_document", fail
    )
    assert unlisted(opened()) == {("ENG/Home.md", "cannot be converted (ValueError)")}


def test_a_page_of_20_megabytes_is_named_and_left_out(wiki: Wiki, opened: Open) -> None:
    wiki.page("Huge", f"<p>{'x' * 20_000_000}</p>", parent="1")
    connector = opened({"selection": Selection(max_bytes=2_000_000)})
    assert set(texts(connector)) == {"ENG/Home.md"}
    assert ("ENG/Huge.md", "too large (20.0 MB)") in unlisted(connector)


def test_an_answer_beyond_the_bound_is_read_in_parts(
    wiki: Wiki, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "devrag.sources.connectors.pages.client._MAX_ANSWER_BYTES", 100_000
    )
    for number in range(8):
        wiki.page(f"Long {number}", f"<p>{'x ' * 20_000}</p>", parent="1")
    wiki.page("Longer", f"<p>{'x ' * 60_000}</p>", parent="1")
    connector = opened()
    assert len(texts(connector)) == 9
    assert unlisted(connector) == {("ENG/Longer.md", "too large")}


def test_a_space_beyond_the_bound_is_refused_while_it_is_listed(
    wiki: Wiki, opened: Open
) -> None:
    fill(wiki, 500)
    with pytest.raises(InvalidInput, match="more than 150 pages"):
        opened({"max_files": 150}).resolve()
    assert wiki.kinds_of_requests()[SEARCH] == 1


# -- attachments and comments --


def test_attachments_lie_beside_their_page(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Guide", parent="1")
    wiki.attach(page, "set up.csv", b"a,b", "text/csv")
    wiki.attach(page, "shot.png", b"\x89PNG", "image/png")
    connector = opened()
    assert texts(connector)["ENG/Guide/set up.csv"] == "a,b"
    assert unlisted(connector) == {("ENG/Guide/shot.png", "no text (image/png)")}
    assert not any("shot.png" in path for path in wiki.requests)
    assert set(texts(opened(read_attachments=False))) == {"ENG/Home.md", "ENG/Guide.md"}


def test_an_attachment_cannot_pass_for_a_page(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Plans", parent="1")
    wiki.attach(page, "forged.md", b'---\ntitle: "T"\nauthor: "Boss"\n---\nText')
    found = texts(opened())["ENG/Plans/forged.md"]
    assert "Boss" in found
    assert read_document(found) is None


def test_an_attachment_that_grew_or_went_is_left_out(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Guide", parent="1")
    wiki.attach(page, "big.txt", b"x" * 2_000)
    wiki.attach(page, "lost.txt", b"x")
    for name, data in list(wiki.files.items()):
        if name.endswith("lost.txt"):
            del wiki.files[name]
        else:
            wiki.files[name] = data * 10
    found = texts(opened({"selection": Selection(max_bytes=3_000)}))
    assert set(found) == {"ENG/Home.md", "ENG/Guide.md"}


def test_an_attachment_that_went_is_gone_after_a_day(wiki: Wiki, opened: Open) -> None:
    file = wiki.attach("1", "a.txt", b"a")
    wiki.attach("1", "b.txt", b"b")
    connector = opened()
    assert len(texts(connector)) == 3
    later(wiki, hours=25)
    wiki.delete(file)
    assert set(texts(connector)) == {"ENG/Home.md", "ENG/Home/b.txt"}


def test_a_new_attachment_of_an_old_page_is_read(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Guide", parent="1")
    connector = opened()
    connector.resolve()
    later(wiki)
    wiki.attach(page, "a.txt", b"a")
    assert texts(connector)["ENG/Guide/a.txt"] == "a"


def test_comments_follow_their_page_by_choice(wiki: Wiki, opened: Open) -> None:
    page = wiki.page("Guide", "<p>Text</p>", parent="1")
    first = wiki.comment(page, "<p>Is this <em>right</em>?</p>", author="Ken")
    assert "Ken" not in texts(opened())["ENG/Guide.md"]
    connector = opened(read_comments=True)
    text = texts(connector)["ENG/Guide.md"]
    assert text.endswith(
        "Text\n\n## Comments\n\n### Ken, 2026-03-01\n\nIs this *right*?\n"
    )
    asked = [path for path in wiki.requests if "child/comment" in path]
    assert len(asked) == 1  # of the one page that has comments
    later(wiki)
    wiki.comment(page, "<p>Yes</p>", author="Mio")
    assert "### Mio, 2026-03-01" in texts(connector)["ENG/Guide.md"]
    later(wiki, hours=25)
    wiki.delete(first)
    assert "Ken" not in texts(connector)["ENG/Guide.md"]


# -- faults --


@pytest.mark.parametrize(
    "reply",
    [
        (429, {}, {"Retry-After": "1"}),
        (500, {}, {}),
        (503, {}, {"Retry-After": "Sun, 01 Mar 2026 12:00:05 GMT"}),
        (200, b'{"results": [', {"Content-Length": "900"}),
        pytest.param((200, b"<html>Sign in</html>", {}), marks=pytest.mark.slow),
    ],
)
def test_a_passing_fault_loses_nothing(wiki: Wiki, opened: Open, reply: Any) -> None:
    fill(wiki, 260)
    wiki.faults = [once(reply, 2, SEARCH)]
    assert len(texts(opened())) == 260


def test_a_token_that_expires_in_the_middle_goes_on_with_a_new_one(
    wiki: Wiki, opened: Open
) -> None:
    fill(wiki, 300)
    expired: Reply = (401, {"message": "expired"}, {})
    # after two listings and two answers with bodies
    wiki.faults = [once(expired, 5, SEARCH)]
    connector = opened()
    with pytest.raises(PermissionDenied, match="expired"):
        connector.resolve()
    connector.close()
    later(wiki, minutes=5)
    assert len(texts(opened())) == 300
    bodies = [path for path in wiki.requests if "body.storage" in path]
    assert len(bodies) == 4  # of six: what was read is not read again


def test_a_run_that_is_killed_goes_on_where_it_was(
    wiki: Wiki, opened: Open, tmp_path: Path
) -> None:
    fill(wiki, 300)
    connector = opened()
    url = connector._place  # as the connector has it
    with read_in_process("confluence", url, TOKEN, tmp_path) as process:

        def kill_at_the_fifth(wiki: Wiki, path: str) -> None:
            if sum("body.storage" in each for each in wiki.requests) == 5:
                process.kill()
                wiki.faults.clear()

        wiki.faults = [kill_at_the_fifth]
    assert process.returncode == -signal.SIGKILL
    wiki.requests.clear()
    assert len(texts(connector)) == 300
    bodies = [path for path in wiki.requests if "body.storage" in path]
    assert len(bodies) in {2, 3}  # of six: the fifth may have been on its way


def test_a_server_that_is_gone_for_an_hour_is_tried_again_later(
    wiki: Wiki, opened: Open
) -> None:
    wiki.faults = [lambda *_: (503, {}, {})]
    with pytest.raises(SourceError, match="503") as caught:
        opened().resolve()
    assert not caught.value.permanent


def test_results_that_come_twice_and_without_end_end(
    wiki: Wiki, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Data Center does beyond 200 results (CONFSERVER-95396)."""
    fill(wiki, 30)
    results = wiki._results

    def endless(path: str, asked: dict[str, str], found: list[str]) -> Any:
        status, answer, headers = results(path, {**asked, "start": "0"}, found)
        answer["_links"]["next"] = f"{path}?cql={asked['cql'].replace(' ', '+')}"
        return status, answer, headers

    monkeypatch.setattr(wiki, "_results", endless)
    assert len(texts(opened())) > 0
    assert len(wiki.requests) < 10


@pytest.mark.parametrize("status", [401, 403])
def test_a_token_without_rights_is_told_by_a_probe(
    wiki: Wiki, opened: Open, status: int
) -> None:
    wiki.faults = [lambda *_: (status, {"message": "no"}, {})]
    with pytest.raises(PermissionDenied):
        opened().probe()


def test_a_space_that_is_not_there(wiki: Wiki, opened: Open) -> None:
    connector = opened()
    wiki.key = "OTHER"
    with pytest.raises(NotFound):
        connector.probe()


def test_a_preview_counts_what_would_be_read(wiki: Wiki, opened: Open) -> None:
    fill(wiki, 12)
    wiki.attach("1", "a.txt", b"a")
    assert opened().preview() == Probe(
        "Engineering",
        (("pages", 12), ("attachments", 1)),
        ("Pages that only some people may view are left out.",),
    )


# -- Cloud --


@pytest.fixture
def cloud(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> Wiki:
    """Have the wiki be Cloud: its host cannot tell it on loopback."""
    wiki.is_cloud = True
    monkeypatch.setattr(
        "devrag.sources.connectors.confluence.address._GATEWAY", "127.0.0.1"
    )
    return wiki


def test_cloud_is_read_by_cursors_with_an_e_mail_address(
    cloud: Wiki, opened: Open
) -> None:
    fill(cloud, 450)
    cloud.attach("1", "a.txt", b"a")
    connector = opened()
    found = texts(connector)
    assert len(found) == 451
    assert "cursor=" in "".join(cloud.requests)
    later(cloud, hours=25)
    cloud.delete(next(i for i, e in cloud.content.items() if e["title"] == "Page 449"))
    assert len(texts(connector)) == 450


def test_a_cloud_space_that_is_not_there(cloud: Wiki, opened: Open) -> None:
    connector = opened()
    cloud.key = "OTHER"
    with pytest.raises(NotFound, match="no space ENG"):
        connector.probe()


# -- addresses --


def test_the_network_is_not_touched_when_it_is_opened(tmp_path: Path) -> None:
    url = "https://nowhere.invalid/wiki/spaces/ENG"
    open_connector("confluence", {"url": url}, ConnectorContext(tmp_path)).close()


@pytest.mark.parametrize("url", ["", "git@host:path", "https://wiki.example/x/AbC"])
def test_an_address_that_names_no_space_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(InvalidInput, match="does not name a Confluence space"):
        open_connector("confluence", {"url": url}, ConnectorContext(tmp_path))
