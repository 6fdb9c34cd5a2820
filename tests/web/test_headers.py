"""What browsers are told about framing, referrers, cookies and content."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from devrag.products.models import Product

FILE = "/p/harbour/s/harbour-code/-/current/src/greeter.py"
WIKI = "/p/harbour/wiki/architecture"


@pytest.mark.parametrize("url", ["/", "/settings/tokens/", "/sign-in/", "/nowhere"])
def test_every_page_refuses_frames_and_keeps_addresses(bob: Client, url: str) -> None:
    told = bob.get(url).headers
    assert told["X-Frame-Options"] == "DENY"
    assert told["Referrer-Policy"] == "same-origin"
    assert told["X-Content-Type-Options"] == "nosniff"
    assert told["Cross-Origin-Opener-Policy"] == "same-origin"
    assert told["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize(
    "url",
    [
        *(
            "/",
            "/search?q=greet",
            "/jobs/",
            "/p/harbour/",
            "/p/harbour/s/harbour-code/",
        ),
        *("/settings/tokens/", "/settings/account/", "/settings/health/", "/sign-in/"),
        *("/llms.txt", "/palette?q=a", "/frames/mermaid", "/health", "/ready"),
        *("/nowhere", "/admin/", "/api/v1/docs", "/searches/", FILE, WIKI),
    ],
)
@pytest.mark.usefixtures("wiki")
def test_head_is_answered_as_get_without_a_body(alice: Client, url: str) -> None:
    get, head = alice.get(url), alice.head(url)
    assert (head.status_code, head.content) == (get.status_code, b"")
    assert head.headers.keys() == get.headers.keys()
    assert head.headers["Content-Type"] == get.headers["Content-Type"]


def test_an_unchanged_page_is_304_to_head_too(alice: Client) -> None:
    known = {"If-None-Match": alice.get("/jobs/")["ETag"]}
    assert alice.head("/jobs/", headers=known).status_code == 304


def test_head_is_no_way_around_post(alice: Client) -> None:
    answer = alice.head("/add/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    refused = alice.post("/jobs/")
    assert (refused.status_code, refused["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("url", ["/api/v1/products", "/api/v1/nowhere", "/metrics"])
def test_programs_are_told_to_keep_it_to_their_origin(db: None, url: str) -> None:
    told = Client(HTTP_HOST="localhost").get(url).headers
    assert told["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize("url", ["/admin/", "/api/v1/docs"])
def test_pages_of_other_makers_load_nothing_from_elsewhere(db: None, url: str) -> None:
    root = Client(HTTP_HOST="localhost")
    root.force_login(User.objects.create_superuser("root"))
    policy = root.get(url)["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy


def test_cookies_stay_with_the_browser(db: None, settings: Any) -> None:
    User.objects.create_user("ann", password="correct horse")
    client = Client(HTTP_HOST="localhost")
    client.get("/sign-in/")
    client.post("/sign-in/", {"username": "ann", "password": "correct horse"})
    for name in (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME):
        cookie = client.cookies[name]
        assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax"), name


@pytest.mark.parametrize("url", ["/", "/p/harbour/", FILE, WIKI, "/settings/connect/"])
@pytest.mark.usefixtures("wiki")
def test_a_page_that_did_not_change_is_not_sent_again(alice: Client, url: str) -> None:
    first = alice.get(url)
    assert b"csrfmiddlewaretoken" in first.content
    assert first["Cache-Control"] == "private, no-cache"
    known = {"If-None-Match": first["ETag"]}
    again = alice.get(url, headers=known)
    assert (again.status_code, again.content) == (304, b"")
    # Its forms would be refused: the token belongs to another secret.
    del alice.cookies["csrftoken"]
    assert alice.get(url, headers=known).status_code == 200
    Product.objects.update(title="Haven")
    assert alice.get(url, headers=known).status_code == 200


def test_what_happens_once_is_always_told(alice: Client, make_job: Any) -> None:
    job = make_job(requested_by="alice", state="completed")
    told = alice.get(f"/jobs/ended/?jobs={job.pk}")
    assert "HX-Trigger" in told.headers
    assert not told.headers.get("ETag", "").startswith("W/")


def test_the_icon_is_found_where_browsers_look(db: None) -> None:
    answer = Client(HTTP_HOST="localhost").get("/favicon.ico")
    assert answer.status_code == 301
    assert answer["Location"].startswith("/static/favicon")
