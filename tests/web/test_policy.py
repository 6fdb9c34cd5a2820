"""What browsers are told about framing, referrers, cookies and content."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.mark.parametrize("url", ["/", "/settings/tokens/", "/sign-in/", "/nowhere"])
def test_every_page_refuses_frames_and_keeps_addresses(bob: Client, url: str) -> None:
    told = bob.get(url).headers
    assert told["X-Frame-Options"] == "DENY"
    assert told["Referrer-Policy"] == "same-origin"
    assert told["X-Content-Type-Options"] == "nosniff"
    assert told["Cross-Origin-Opener-Policy"] == "same-origin"
    assert told["Cross-Origin-Resource-Policy"] == "same-origin"


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


@pytest.mark.slow
def test_cookies_stay_with_the_browser(db: None, settings: Any) -> None:
    User.objects.create_user("ann", password="correct horse")
    client = Client(HTTP_HOST="localhost")
    client.get("/sign-in/")
    client.post("/sign-in/", {"username": "ann", "password": "correct horse"})
    for name in (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME):
        cookie = client.cookies[name]
        assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax"), name


def test_the_icon_is_found_where_browsers_look(db: None) -> None:
    answer = Client(HTTP_HOST="localhost").get("/favicon.ico")
    assert answer.status_code == 301
    assert answer["Location"].startswith("/static/favicon")
