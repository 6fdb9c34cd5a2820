"""The overview of a product, and its sources."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.sources.models import Skip
from devrag.web.pages.languages import name_language, share_languages
from devrag.web.templatetags.ui import cause_of_wiki
from devrag.wiki.models import Wiki

from .conftest import Harbour
from .markup import squeeze


def test_sources_show_ref_version_and_what_was_left_out(
    bob: Client, harbour: Harbour
) -> None:
    Skip.objects.create(ref=harbour.ref, path="a.bin", reason="binary")
    page = squeeze(bob.get("/p/harbour/sources/"))
    assert "harbour-code" in page
    assert "main @ aaaaaaa" in page
    assert "1 skipped" in page


def test_only_maintainers_are_offered_to_add_a_source(
    alice: Client, bob: Client
) -> None:
    offer = 'href="/add/source/?product=harbour"'
    assert offer in alice.get("/p/harbour/sources/").content.decode()
    assert offer not in bob.get("/p/harbour/sources/").content.decode()


def test_the_overview_says_what_the_product_is(bob: Client, harbour: Harbour) -> None:
    assert "<p>Greets.</p>" in squeeze(bob.get("/p/harbour/"))


def test_without_a_description_the_wiki_says_what_the_product_is(
    bob: Client, wiki: Wiki
) -> None:
    assert wiki.current is not None
    Product.objects.update(description="")
    front = wiki.current.pages.filter(path="index.md")
    front.update(markdown="# Harbour\n\nIt greets `ships`.[1](cite:1)\n\n## More\n")
    said = "It greets ships."
    assert f"<p>{said}</p>" in squeeze(bob.get("/p/harbour/"))
    assert f'<p class="summary">{said}</p>' in squeeze(bob.get("/"))
    front.update(markdown="# Harbour\n\n- a list\n")
    assert said not in squeeze(bob.get("/p/harbour/"))


def test_a_question_is_asked_from_the_overview(bob: Client, harbour: Harbour) -> None:
    page = bob.get("/p/harbour/").content.decode()
    assert 'method="post" action="/p/harbour/ask/"' in page


def test_the_overview_leads_on_to_sources_and_open_conflicts(
    bob: Client, harbour: Harbour
) -> None:
    page = bob.get("/p/harbour/").content.decode()
    assert 'href="/p/harbour/s/harbour-code/"' in page
    assert 'href="/p/harbour/sources/">All sources' in page
    assert 'href="/p/harbour/conflicts/">Open conflicts' in page


def test_a_product_without_sources_leads_to_the_first(
    alice: Client, harbour: Harbour
) -> None:
    harbour.source.delete()
    page = alice.get("/p/harbour/").content.decode()
    assert "This product has no source yet" in page
    assert 'action="/p/harbour/ask/"' not in page


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
    offer, instead = "Generate the wiki</", "Maintainers can generate it."
    assert offer in squeeze(alice.get(path))
    page = squeeze(bob.get(path))
    assert offer not in page
    assert instead in page


def test_a_wiki_that_is_being_written_is_not_offered_again(
    bob: Client, harbour: Harbour, make_job: Callable[..., Job]
) -> None:
    job = make_job(kind="wiki", lane=f"wiki:{harbour.product.pk}")
    page = bob.get("/p/harbour/").content.decode()
    assert "Generate the wiki</" not in squeeze(page)
    assert f'<a href="/jobs/{job.pk}/">View progress</a>' in page


def test_a_page_that_waited_shows_what_was_made(
    bob: Client, harbour: Harbour, make_job: Callable[..., Job]
) -> None:
    job = make_job()
    asking = {"HX-Request": "true", "HX-Target": "dr-jobs"}
    paths = ("/p/harbour/", "/p/harbour/sources/", "/p/harbour/s/harbour-code/")
    for path in paths:
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
    with django_assert_max_num_queries(24):
        bob.get("/p/harbour/")
    with django_assert_max_num_queries(10):
        bob.get("/p/harbour/sources/")


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


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        ("indexed cobra", "Generated after cobra was indexed"),
        ("deleted cobra", "Generated after cobra was deleted"),
        ("limited cobra", "Generated after access to cobra was restricted"),
        ("requested", "requested"),
        ("indexed", "indexed"),
        ("", ""),
    ],
)
def test_a_version_says_why_it_was_generated(cause: str, said: str) -> None:
    assert cause_of_wiki(cause) == said


def test_files_without_a_language_are_called_as_people_know_them() -> None:
    names = [name_language(name) for name in ("gosum", "ignore", "text", "go")]
    assert names == ["go.sum", "Ignore list", "Text", "Go"]
