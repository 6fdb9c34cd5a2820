"""A version that is being written: its finished pages are read beside the published."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from devrag.jobs.models import Job
from devrag.wiki.models import Wiki

from .conftest import COMMIT, Harbour
from .drafts import write_draft
from .markup import squeeze

DRAFT = "/p/harbour/wiki-drafts/en/architecture"


@pytest.fixture
def run(make_job: Callable[..., Job]) -> Job:
    """A run that has written two pages, one of them new."""
    job = make_job(kind="wiki", lane="wiki:harbour", source_name="")
    text = (
        "# Plan\n\nIt greets [1](cite:1), see [it](features/new.md), [no](gone.md).\n"
    )
    write_draft(job, "architecture.md", "Architecture", text)
    write_draft(job, "features/new.md", "New feature", "# New feature\n", ordinal=2)
    return job


def test_a_draft_says_that_it_is_one(bob: Client, wiki: Wiki, run: Job) -> None:
    page = squeeze(bob.get(DRAFT))
    assert "Draft of version 2, not published yet." in page
    assert 'href="/p/harbour/wiki/architecture">Published version</a>' in page


def test_links_of_a_draft_lead_to_drafts_first(
    bob: Client, wiki: Wiki, run: Job
) -> None:
    page = bob.get(DRAFT).content.decode()
    assert 'href="/p/harbour/wiki-drafts/en/features/new"' in page
    assert "gone.md" not in page


def test_citations_of_a_draft_show_their_lines(
    bob: Client, wiki: Wiki, run: Job
) -> None:
    page = bob.get(DRAFT).content.decode()
    assert f"/p/harbour/s/harbour-code/-/{COMMIT}/src/greeter.py#L5-L6" in page
    preview = "/p/harbour/wiki-draft-claims/en/1/architecture"
    assert f'data-preview="{preview}"' in page
    assert "src/greeter.py:5–6" in bob.get(preview).content.decode()
    assert bob.get("/p/harbour/wiki-draft-claims/en/9/architecture").status_code == 404


def test_readers_see_what_is_published_and_links_to_drafts(
    bob: Client, wiki: Wiki, run: Job
) -> None:
    response = bob.get("/p/harbour/wiki/architecture")
    assert "The graph" in response.content.decode()
    page = squeeze(response)
    assert f'<a class="tag" href="{DRAFT}">Draft' in page
    assert '<a href="/p/harbour/wiki-drafts/en/features/new">New feature' in page


def test_a_first_version_is_read_as_it_is_written(bob: Client, run: Job) -> None:
    page = squeeze(bob.get("/p/harbour/wiki/"))
    assert "Version 1 is being generated." in page
    assert f'href="{DRAFT}">Architecture' in page
    assert "has no wiki yet" not in page


def test_the_list_grows_without_a_reload(bob: Client, run: Job) -> None:
    write_draft(run, "features/late.md", "Late feature", "# Late\n", ordinal=3)
    part = bob.get("/p/harbour/wiki/", headers={"HX-Request": "true"})
    page = squeeze(part)
    assert "Late feature" in page
    assert 'hx-get="/p/harbour/wiki/" hx-trigger="load delay:2s"' in page
    assert "<main" not in page


def test_a_list_that_waits_for_a_run_that_ended_is_empty(bob: Client, run: Job) -> None:
    Job.objects.update(state="cancelled")
    part = bob.get("/p/harbour/wiki/", headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert "hx-get" not in part.content.decode()


def test_agents_read_what_is_published(bob: Client, run: Job) -> None:
    assert bob.get("/p/harbour/wiki/architecture.md").status_code == 404


def test_after_the_run_a_draft_leads_to_the_published_page(
    bob: Client, wiki: Wiki, run: Job
) -> None:
    Job.objects.update(state="completed")
    assert bob.get(DRAFT)["Location"] == "/p/harbour/wiki/architecture"
    gone = bob.get("/p/harbour/wiki-drafts/en/features/new")
    assert gone["Location"] == "/p/harbour/wiki/"


def test_a_page_that_is_not_written_yet_is_not_found(bob: Client, run: Job) -> None:
    assert bob.get("/p/harbour/wiki-drafts/en/testing").status_code == 404


@pytest.mark.parametrize(
    "url", [DRAFT, "/p/harbour/wiki-draft-claims/en/1/architecture"]
)
def test_who_may_not_see_the_product_sees_no_draft(
    charlie: Client, harbour: Harbour, run: Job, url: str
) -> None:
    assert charlie.get(url).status_code == 404
