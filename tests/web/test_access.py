"""Who sees which page; what a stranger is told."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote
from uuid import uuid4

import pytest
from django.test import Client

from devrag.jobs.models import Job
from devrag.wiki.models import Wiki

PAGES = [
    "/p/harbour/",
    "/p/harbour/wiki/",
    "/p/harbour/wiki/architecture",
    "/p/harbour/wiki/architecture.md",
    "/p/harbour/s/harbour-code/",
    "/p/harbour/s/harbour-code/-/current/",
    "/p/harbour/s/harbour-code/preview/current/src/greeter.py?first=1&last=2",
    "/p/harbour/s/harbour-code/-/current/src/greeter.py",
    "/p/harbour/s/harbour-code/raw/current/src/greeter.py",
]


@pytest.mark.parametrize("url", PAGES)
def test_a_member_reads_every_page(bob: Client, wiki: Wiki, url: str) -> None:
    assert bob.get(url).status_code == 200


@pytest.mark.parametrize("url", PAGES)
def test_a_product_one_may_not_see_does_not_exist(
    charlie: Client, wiki: Wiki, url: str
) -> None:
    assert charlie.get(url).status_code == 404


@pytest.mark.parametrize("url", ["/", "/search", "/jobs/", *PAGES])
def test_a_stranger_is_asked_to_sign_in_and_led_back(
    stranger: Client, url: str
) -> None:
    response = stranger.get(url)
    assert response.status_code == 303
    assert response["Location"].startswith("/sign-in/?next=%2F")


def test_a_stranger_with_htmx_is_redirected_as_a_whole(stranger: Client) -> None:
    response = stranger.get("/jobs/", headers={"HX-Request": "true"})
    assert response["HX-Redirect"].startswith("/sign-in/")


def test_a_part_of_a_page_leads_back_to_the_page(stranger: Client) -> None:
    headers = {
        "HX-Request": "true",
        "HX-Current-URL": "http://localhost/p/harbour/wiki/architecture",
    }
    for part in ("/palette?q=a", "/settings/health/"):
        response = stranger.get(part, headers=headers)
        back = response["HX-Redirect"].partition("?next=")[2]
        assert unquote(back) == "/p/harbour/wiki/architecture"


def test_nobody_leaves_a_page_because_a_session_ended(stranger: Client) -> None:
    answer = stranger.get(
        f"/jobs/ended/?jobs={uuid4()}", headers={"HX-Request": "true"}
    )
    assert (answer.status_code, answer.content) == (200, b"")
    assert "HX-Redirect" not in answer.headers


def test_lists_leave_out_what_one_may_not_see(
    charlie: Client, make_job: Callable[..., Job]
) -> None:
    make_job()
    assert b"harbour" not in charlie.get("/").content
    assert b"harbour" not in charlie.get("/jobs/").content


def test_a_job_of_a_hidden_product_does_not_exist(
    charlie: Client, make_job: Callable[..., Job]
) -> None:
    job = make_job()
    assert charlie.get(f"/jobs/{job.pk}/").status_code == 404
    assert charlie.post(f"/jobs/{job.pk}/cancel/").status_code == 404


def test_search_in_a_hidden_product_finds_no_such_product(charlie: Client) -> None:
    page = charlie.get("/search", {"q": "greet", "product": "harbour"})
    assert "There is no product" in page.content.decode()


def test_a_viewer_may_not_write_the_wiki(bob: Client) -> None:
    response = bob.post("/p/harbour/wiki-regenerate/")
    assert response.status_code == 403
    assert "not change it" in response.content.decode()


def test_a_viewer_may_not_cancel(bob: Client, make_job: Callable[..., Job]) -> None:
    assert bob.post(f"/jobs/{make_job().pk}/cancel/").status_code == 403


@pytest.mark.parametrize("url", ["/add/", "/p/harbour/wiki-regenerate/"])
def test_writing_needs_post(alice: Client, url: str) -> None:
    assert alice.get(url).status_code == 405


def test_every_page_has_the_strict_policy(bob: Client) -> None:
    policy = bob.get("/p/harbour/")["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "script-src 'self'" in policy
    assert "style-src 'self'" in policy
