"""Around a wiki page: cited lines, what changed, notes, remarks, versions, lists."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries

from devrag.jobs.models import Job
from devrag.wiki.models import Claim, Feedback, Note, Page, Version, Wiki
from devrag.wiki.publishing.feedback import doubts_for_writer, settle_feedback

URL = "/p/harbour/wiki/architecture"
VERSIONS = "/p/harbour/wiki-versions/"
NOTES = "/p/harbour/wiki-notes/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def again(wiki: Wiki, make_job: Callable[..., Job]) -> Version:
    """A second version: one page says something else, one is new, one is gone."""
    ended = {"state": "completed", "finished_at": timezone.now()}
    job = make_job(kind="wiki", requested_by="alice", **ended)
    made = Version.objects.create(
        wiki=wiki,
        number=2,
        writer="structural",
        cause="somebody asked",
        cost="1.5",
        report={
            "run": str(job.pk),
            "added": ["new.md"],
            "rewritten": ["architecture.md"],
            "reused": ["index.md"],
            "removed": ["features/greeting.md"],
            "why": {"architecture.md": ["src/greeter.py changed"]},
            "warnings": ["The budget was small."],
            "cut": [
                {
                    "page": "architecture.md",
                    "gate": "name",
                    "reason": "no such name",
                    "text": "It calls `<b>nothing</b>`.",
                }
            ],
        },
    )
    texts = {
        "index.md": "# Harbour\n\nRead on.\n",
        "architecture.md": "# Architecture\n\nIt waves.\n\n- <i>one</i>\n",
        "new.md": "# New\n",
    }
    for ordinal, (path, markdown) in enumerate(texts.items()):
        Page.objects.create(
            version=made,
            path=path,
            ordinal=ordinal,
            kind="feature",
            title=path.removesuffix(".md").title(),
            markdown=markdown,
            fingerprint="f",
        )
    wiki.current = made
    wiki.save(update_fields=["current"])
    return made


def _page(wiki: Wiki, path: str = "architecture.md") -> Page:
    assert wiki.current is not None
    return wiki.current.pages.get(path=path)


def test_a_chip_leads_to_its_lines_which_are_cached(
    bob: Client, charlie: Client, wiki: Wiki
) -> None:
    claim = Claim.objects.get()
    url = f"/p/harbour/wiki-claims/{claim.pk}/"
    assert f'data-preview="{url}"' in bob.get(URL).content.decode()
    answer = bob.get(url)
    shown = answer.content.decode()
    assert "src/greeter.py:5–6" in shown
    assert '<span class="k">def</span>' in shown
    assert 'badge-ok">Up to date' in shown
    assert answer["Cache-Control"] == "private, max-age=300"
    again = bob.get(url, headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
    assert charlie.get(url).status_code == 404


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"excerpt": "gone", "content_hash": "x"}, "Open the current file"),
        ({"path": "src/gone.py", "content_hash": "x"}, "deleted or renamed"),
    ],
)
def test_a_page_says_what_changed_since(
    bob: Client, wiki: Wiki, change: dict[str, str], said: str
) -> None:
    Claim.objects.update(**change)
    page = bob.get(URL).content.decode()
    assert "1 cited place changed since this page was written" in page
    assert said in page
    assert "It greets.</blockquote>" in page


def test_what_only_moved_is_one_line(bob: Client, wiki: Wiki) -> None:
    Claim.objects.update(excerpt="class Greeter:", content_hash="x")
    page = bob.get(URL).content.decode()
    assert "1 cited place is at other lines now" in page
    assert "/-/current/src/greeter.py#L4" in page
    assert "It greets.</blockquote>" not in page
    assert 'badge-ok" title="The citation is up to date.">Up to date' in page


def test_versions_are_listed_with_who_and_what(
    bob: Client,
    again: Version,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_max_num_queries(17):
        page = bob.get(VERSIONS).content.decode()
    for said in ("Started by alice", "1 page rewritten", "1 page removed", "$1.50"):
        assert said in page
    assert page.count(">Current<") == 1
    assert "Make current" not in page
    report = bob.get(f"{VERSIONS}2/").content.decode()
    for said in ("src/greeter.py changed", "The budget was small.", "no such name"):
        assert said in report
    assert "<b>nothing" not in report


DIFFERENCE = "/p/harbour/wiki-versions/compare/?from=1&to=2&language=en"


def test_a_job_that_wrote_leads_to_what_it_changed(
    bob: Client, alice: Client, again: Version
) -> None:
    job = Job.objects.get(kind="wiki")
    shown = f'<a href="{escape(DIFFERENCE)}">Show changes</a>'
    assert shown in bob.get(f"/jobs/{job.pk}/").content.decode()
    # The page with the strip reloads, and says it then.
    strip = bob.get(f"/jobs/{job.pk}/progress/?view=strip")
    assert strip["HX-Refresh"] == "true"
    page = bob.get(URL).content.decode()
    assert f"Generate the wiki of harbour-code: done {shown}" in page
    # Elsewhere a note appears.
    told = alice.get(f"/jobs/ended/?jobs={job.pk}")["HX-Trigger"]
    toast = json.loads(told)["toast"]
    assert (toast["url"], toast["label"]) == (DIFFERENCE, "Show changes")


def test_a_first_version_changed_nothing(
    bob: Client, wiki: Wiki, make_job: Callable[..., Job]
) -> None:
    job = make_job(kind="wiki", state="completed", finished_at=timezone.now())
    Version.objects.update(report={"run": str(job.pk)})
    assert "Show changes" not in bob.get(f"/jobs/{job.pk}/").content.decode()
    bob.get(f"/jobs/{job.pk}/progress/?view=strip")
    page = bob.get(URL).content.decode()
    assert "Generate the wiki of harbour-code: done" in page
    assert "Show changes" not in page


def test_the_page_that_waited_says_why_nothing_was_written(
    bob: Client, wiki: Wiki, make_job: Callable[..., Job]
) -> None:
    job = make_job(kind="wiki", state="failed", error="No key.")
    bob.get(f"/jobs/{job.pk}/progress/?view=strip")
    page = bob.get(URL).content.decode()
    assert f'failed <a href="/jobs/{job.pk}/">Open</a>' in page


def test_a_maintainer_shows_and_pins_a_version(alice: Client, again: Version) -> None:
    assert alice.post(f"{VERSIONS}1/show/").status_code == 303
    page = alice.get(VERSIONS).content.decode()
    assert "Readers see an older version" in page
    assert again.wiki.versions.get(number=1) == Wiki.objects.get().current
    alice.post(f"{VERSIONS}1/pin/", {"pinned": "1"})
    assert again.wiki.versions.get(number=1).is_pinned
    alice.post(f"{VERSIONS}1/pin/", {"pinned": "0"})
    assert not again.wiki.versions.get(number=1).is_pinned


def test_readers_change_no_version(bob: Client, again: Version) -> None:
    assert bob.post(f"{VERSIONS}1/show/").status_code == 403
    assert bob.post(f"{VERSIONS}1/pin/", {"pinned": "1"}).status_code == 403
    assert Wiki.objects.get().current == again


def test_two_versions_are_compared_page_by_page(bob: Client, again: Version) -> None:
    pages = bob.get(f"{VERSIONS}compare/?from=1&to=2").content.decode()
    assert "3 pages changed" in pages
    assert "page=architecture.md" in pages
    assert bob.get(f"{VERSIONS}compare/?from=1&to=x").status_code == 400
    assert bob.get(f"{VERSIONS}compare/?from=1&to=9").status_code == 404


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ("changes", "It <del>greets</del><ins>waves</ins>."),
        ("changes", "&lt;i&gt;one&lt;/i&gt;"),
        ("source", "It <del>greets"),
        ("source", "It <ins>waves"),
    ],
)
def test_a_page_is_compared_with_its_former_self(
    bob: Client, again: Version, view: str, said: str
) -> None:
    url = f"{VERSIONS}compare/?from=1&to=2&page=architecture.md&view={view}"
    page = bob.get(url).content.decode()
    assert said in page
    assert "<i>one" not in page
    assert page.count('id="architecture"') == 0


def test_an_older_version_is_read_whole(
    bob: Client, charlie: Client, again: Version
) -> None:
    url = f"{VERSIONS}1/pages/architecture"
    assert f'href="{VERSIONS}1/pages/index?language=en"' in (
        bob.get(VERSIONS).content.decode()
    )
    page = bob.get(url).content.decode()
    assert "It greets." in page
    assert "This is an older version" in page
    assert f'href="{VERSIONS}1/pages/features/greeting?language=en"' in page
    assert f'href="{URL}"' in page
    assert 'class="cite"' in page
    assert bob.get(f"{VERSIONS}1/pages/gone").status_code == 404
    assert bob.get(f"{VERSIONS}9/pages/index").status_code == 404
    assert charlie.get(url).status_code == 404


def test_a_note_is_written_moved_and_deleted_in_place(
    alice: Client, bob: Client, wiki: Wiki
) -> None:
    page = alice.get(URL).content.decode()
    assert "place=architecture.md%23the-graph" in page
    add = f"{NOTES}add/?language=en&place=architecture.md%23the-graph"
    form = alice.get(add, headers=HTMX).content.decode()
    assert "<html" not in form
    assert 'value="architecture.md#the-graph" selected' in form
    given = {"text": "See **the** tea room.", "place": "architecture.md#the-graph"}
    shown = alice.post(add, given, headers=HTMX).content.decode()
    assert "<strong>the</strong>" in shown
    note = Note.objects.get()
    page = bob.get(URL).content.decode()
    assert page.index('id="the-graph"') < page.index(f'id="dr-note-{note.pk}"')
    assert f"{NOTES}{note.pk}/edit/" not in page
    moved = alice.post(
        f"{NOTES}{note.pk}/edit/", {"text": "Other.", "place": "index.md"}
    )
    assert moved["Location"] == f"/p/harbour/wiki/#dr-note-{note.pk}"
    assert "Other." in bob.get("/p/harbour/wiki/").content.decode()
    assert (
        "Delete this note permanently?"
        in alice.get(f"{NOTES}{note.pk}/delete/").content.decode()
    )
    assert alice.post(f"{NOTES}{note.pk}/delete/", headers=HTMX).content == b""
    assert not Note.objects.exists()


def test_an_error_loses_no_word_of_a_note(alice: Client, wiki: Wiki) -> None:
    given = {"text": "x" * 10_001, "place": "architecture.md"}
    answer = alice.post(f"{NOTES}add/?language=en&place=a", given, headers=HTMX)
    assert answer.status_code == 422
    assert given["text"] in answer.content.decode()
    gone = {"text": "kept", "place": "gone.md"}
    answer = alice.post(f"{NOTES}add/?language=en", gone, headers=HTMX)
    assert answer.status_code == 422
    assert ">kept</textarea>" in answer.content.decode()


def test_an_expired_session_loses_no_word(stranger: Client, wiki: Wiki) -> None:
    given = {"text": "What I <typed>.", "place": "architecture.md"}
    answer = stranger.post(f"{NOTES}add/?language=en", given, headers=HTMX)
    page = answer.content.decode()
    assert answer.status_code == 403
    assert "What I &lt;typed&gt;.</textarea>" in page
    assert 'name="place" value="architecture.md"' in page
    assert "/sign-in/?next=" in page


def test_readers_write_no_notes(bob: Client, wiki: Wiki) -> None:
    given = {"text": "mine", "place": "architecture.md"}
    assert bob.post(f"{NOTES}add/?language=en", given).status_code == 403
    assert not Note.objects.exists()


def test_notes_without_a_page_are_listed(alice: Client, wiki: Wiki) -> None:
    Note.objects.create(wiki=wiki, page_path="gone.md", text="Still true.")
    page = alice.get(VERSIONS).content.decode()
    assert "Notes without a page" in page
    assert "Still true." in page


def test_a_reader_says_what_is_wrong(bob: Client, alice: Client, wiki: Wiki) -> None:
    page = _page(wiki)
    url = f"/p/harbour/wiki-feedback/{page.pk}/1/"
    assert url in bob.get(URL).content.decode()
    assert "<blockquote" in bob.get(url).content.decode()
    answer = bob.post(url, {"remark": "It waves."}, headers=HTMX)
    assert "Thank you" in answer.content.decode()
    said = Feedback.objects.get()
    assert said.paragraph.startswith("It greets. See")
    assert (said.remark, said.author) == ("It waves.", User.objects.get(username="bob"))
    [told] = doubts_for_writer(wiki.product)["architecture.md"]
    assert "It greets." in told
    assert told.endswith("They say: It waves.")
    listed = alice.get("/p/harbour/wiki-feedback/").content.decode()
    assert "It waves." in listed
    assert bob.get("/p/harbour/wiki-feedback/").status_code == 403
    alice.post(f"/p/harbour/wiki-feedback/{said.pk}/settle/")
    assert Feedback.objects.get().resolved_at is not None


def test_a_remark_is_settled_when_its_paragraph_changes(
    bob: Client, wiki: Wiki, again: Version
) -> None:
    old = wiki.versions.get(number=1)
    for path, block in (("architecture.md", 1), ("index.md", 1)):
        page = old.pages.get(path=path)
        bob.post(f"/p/harbour/wiki-feedback/{page.pk}/{block}/", {"remark": ""})
    assert settle_feedback(again) == 1
    assert Feedback.objects.get(resolved_at=None).page_path == "index.md"


def test_agents_find_what_there_is_to_read(
    bob: Client, charlie: Client, wiki: Wiki
) -> None:
    every = bob.get("/llms.txt")
    assert every["Content-Type"] == "text/plain; charset=utf-8"
    assert "- [Harbour](http://localhost/p/harbour/llms.txt): Greets." in (
        every.content.decode()
    )
    own = bob.get("/p/harbour/llms.txt").content.decode()
    assert "(http://localhost/p/harbour/wiki/architecture.md)" in own
    assert "Harbour" not in charlie.get("/llms.txt").content.decode()
    assert charlie.get("/p/harbour/llms.txt").status_code == 404
