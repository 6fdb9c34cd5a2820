"""The page of a product."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from devrag.jobs.models import Job
from devrag.sources.models import Skip
from devrag.web.pages.languages import share_languages
from devrag.wiki.models import Wiki

from .conftest import Harbour
from .markup import squeeze


def test_sources_show_ref_version_and_what_was_left_out(
    bob: Client, harbour: Harbour
) -> None:
    Skip.objects.create(ref=harbour.ref, path="a.bin", reason="binary")
    page = squeeze(bob.get("/p/harbour/"))
    assert "harbour-code" in page
    assert "main @ aaaaaaa" in page
    assert "1 skipped" in page


def test_the_readme_is_rendered_with_links_into_the_source(bob: Client) -> None:
    page = bob.get("/p/harbour/").content.decode()
    assert 'href="/p/harbour/s/harbour-code/-/current/docs/guide.md"' in page
    assert "<script>alert" not in page


def test_wiki_pages_are_listed(bob: Client, wiki: Wiki) -> None:
    page = bob.get("/p/harbour/").content.decode()
    assert 'href="/p/harbour/wiki/features/greeting"' in page


@pytest.mark.parametrize("path", ["/p/harbour/", "/p/harbour/wiki/"])
def test_without_a_wiki_it_is_offered_to_who_may_write_it(
    alice: Client, bob: Client, path: str
) -> None:
    offer, instead = "Generate the wiki</button>", "Maintainers can generate it."
    assert offer in squeeze(alice.get(path))
    page = squeeze(bob.get(path))
    assert offer not in page
    assert instead in page


def test_a_wiki_that_is_being_written_is_not_offered_again(
    bob: Client, harbour: Harbour, make_job: Callable[..., Job]
) -> None:
    job = make_job(kind="wiki", lane=f"wiki:{harbour.product.pk}")
    page = bob.get("/p/harbour/").content.decode()
    assert "Generate the wiki</button>" not in squeeze(page)
    assert f'<a href="/jobs/{job.pk}/">View progress</a>' in page


def test_a_page_that_waited_shows_what_was_made(
    bob: Client, harbour: Harbour, make_job: Callable[..., Job]
) -> None:
    job = make_job()
    asking = {"HX-Request": "true", "HX-Target": "dr-jobs"}
    for path in ("/p/harbour/", "/p/harbour/s/harbour-code/"):
        job.state = "running"
        job.save()
        answer = bob.get(path, headers=asking)
        assert 'hx-trigger="every' in answer.content.decode()
        job.state = "completed"
        job.save()
        assert bob.get(path, headers=asking)["HX-Refresh"] == "true"


def test_queries_are_few(
    bob: Client, wiki: Wiki, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(21):
        bob.get("/p/harbour/")


def test_shares_add_up_and_fold_the_rest() -> None:
    shares = share_languages({f"l{n}": 10 for n in range(8)} | {"": 99})
    assert len(shares) == 6
    assert shares[-1].name == "Other"
    assert round(sum(share.percent for share in shares)) == 100


def test_no_lines_make_no_bar() -> None:
    assert share_languages({"python": 0, "": 5}) == ()


def test_plain_text_is_no_language_beside_others() -> None:
    shares = share_languages({"python": 30, "text": 60, "ignore": 10})
    assert [(share.name, share.percent) for share in shares] == [
        ("Python", 30.0),
        ("Other", 70.0),
    ]
    (alone,) = share_languages({"text": 60})
    assert alone.name == "Text"
