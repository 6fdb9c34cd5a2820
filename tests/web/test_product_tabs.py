"""The sections of a product, below the header of each of its pages."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from devrag.jobs.models import Job

from .conftest import Harbour

SECTIONS = ["Overview", "Wiki", "Search", "Ask", "Sources", "Jobs", "Insights"]
_TAB = re.compile(
    r'<a class="product-tab" href="([^"]*)"( aria-current="true")?>.*?</svg>(\w+)'
)


def tabs(page: str) -> list[tuple[str, str, str]]:
    return _TAB.findall(page)


@pytest.mark.parametrize(
    ("path", "section"),
    [
        ("/p/harbour/", "Overview"),
        ("/p/harbour/sources/", "Sources"),
        ("/p/harbour/s/harbour-code/", "Sources"),
        ("/p/harbour/s/harbour-code/-/current/src/greeter.py", "Sources"),
        ("/p/harbour/labels/", "Sources"),
        ("/p/harbour/conflicts/", "Insights"),
        ("/p/harbour/outdated/", "Insights"),
        ("/p/harbour/wiki/", "Wiki"),
        ("/p/harbour/wiki-versions/", "Wiki"),
        ("/p/harbour/ask/", "Ask"),
        ("/search?q=greet&product=harbour", "Search"),
        ("/jobs/?product=harbour", "Jobs"),
        ("/p/harbour/insights/", "Insights"),
    ],
)
@pytest.mark.usefixtures("wiki")
def test_each_page_says_where_it_is(bob: Client, path: str, section: str) -> None:
    found = tabs(bob.get(path).content.decode())
    assert [label for _, _, label in found] == SECTIONS
    assert [label for _, current, label in found if current] == [section]


def test_every_tab_leads_to_a_page_with_the_same_tabs(
    bob: Client, harbour: Harbour
) -> None:
    for url, _, label in tabs(bob.get("/p/harbour/").content.decode()):
        page = bob.get(url).content.decode()
        current = [name for _, mark, name in tabs(page) if mark]
        assert current == [label], url


@pytest.mark.parametrize(
    "page", ["settings", "members", "audit", "digest", "secrets", "delete"]
)
def test_who_maintains_a_product_has_its_settings(alice: Client, page: str) -> None:
    found = tabs(alice.get(f"/p/harbour/{page}/").content.decode())
    assert [label for _, _, label in found] == [*SECTIONS, "Settings"]
    assert [label for _, current, label in found if current] == ["Settings"]


@pytest.mark.parametrize(
    "path", ["/", "/search?q=greet", "/jobs/", "/ask/", "/jobs/?product=unknown"]
)
def test_pages_of_all_products_have_none(
    bob: Client, harbour: Harbour, path: str
) -> None:
    assert not tabs(bob.get(path).content.decode())


def test_a_hidden_product_shows_no_tabs(client: Client, harbour: Harbour) -> None:
    harbour.product.visibility = "private"
    harbour.product.save()
    page = client.get("/search?q=greet&product=harbour").content.decode()
    assert "product-tab" not in page


def test_jobs_are_limited_to_a_state_a_kind_and_a_product(
    bob: Client, harbour: Harbour, make_job: Callable[..., Job]
) -> None:
    running, failed = make_job(kind="index"), make_job(kind="wiki", state="failed")
    every = {f"/jobs/{running.pk}/", f"/jobs/{failed.pk}/"}

    def listed(query: str) -> set[str]:
        page = bob.get(f"/jobs/?{query}").content.decode()
        return {url for url in every if url in page}

    assert listed("") == every
    assert listed("product=harbour") == every
    assert listed("state=open") == {f"/jobs/{running.pk}/"}
    assert listed("state=failed") == {f"/jobs/{failed.pk}/"}
    assert listed("kind=wiki") == {f"/jobs/{failed.pk}/"}
    assert not listed("state=ended")
    assert not listed("product=other")
    # A state that there is not is dropped.
    assert listed("state=sleeping") == every


def test_a_card_lists_two_jobs_and_leads_to_the_rest(
    bob: Client, harbour: Harbour, make_job: Callable[..., Job]
) -> None:
    for number in range(4):
        make_job(kind="index", lane=f"lane:{number}")
    page = bob.get("/").content.decode()
    assert page.count('<progress class="progress"') == 2
    assert "2 more jobs" in page
    assert 'href="/jobs/?product=harbour&amp;state=open"' in page


def test_another_product_opens_its_own_page(bob: Client, harbour: Harbour) -> None:
    asked = {"HX-Request": "true", "HX-Request-Type": "partial"}
    asked["HX-Source"] = "input#dr-q"
    headers = {**asked, "HX-Current-URL": "http://testserver/search?q=greet"}
    url = "/search?q=greet&product=harbour&mode=&path="
    response = bob.get(url, headers=headers)
    assert response["HX-Redirect"] == "/search?q=greet&product=harbour"


def test_results_leave_an_address_without_empty_filters_and_a_title(
    bob: Client, harbour: Harbour
) -> None:
    asked = {"HX-Request": "true", "HX-Request-Type": "partial"}
    asked["HX-Source"] = "input#dr-q"
    headers = {**asked, "HX-Current-URL": "http://testserver/search?q=gree"}
    response = bob.get("/search?q=greet&mode=&path=&language=", headers=headers)
    assert response["HX-Replace-Url"] == "/search?q=greet"
    assert "<title>greet · Search · devrag</title>" in response.content.decode()


@pytest.mark.parametrize("section", ["search", "jobs"])
def test_a_section_below_the_product_leads_where_its_tab_does(
    bob: Client, stranger: Client, harbour: Harbour, section: str
) -> None:
    answer = bob.get(f"/p/harbour/{section}?q=tea", follow=True)
    assert answer.redirect_chain[-1][0].endswith("?q=tea&product=harbour")
    assert answer.status_code == 200
    assert "/sign-in/" in stranger.get(f"/p/harbour/{section}/")["Location"]
    assert bob.get(f"/p/nowhere/{section}/").status_code == 404
