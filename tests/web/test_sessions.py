"""Where a user is signed in, and signing out there."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from devrag.access.models import SignedInSession
from devrag.access.sessions import list_sessions

from .markup import squeeze

URL = "/settings/account/"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0"
)


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann")


def device(user: User, agent: str, address: str = "203.0.113.7") -> Client:
    made = Client(HTTP_HOST="localhost", HTTP_USER_AGENT=agent, REMOTE_ADDR=address)
    made.force_login(user)
    made.get("/jobs/")
    return made


def session_of(agent: str) -> SignedInSession:
    return SignedInSession.objects.get(user_agent=agent)


def test_sessions_have_browser_address_and_time(ann: User) -> None:
    here = device(ann, FIREFOX)
    device(ann, EDGE, "2001:db8::1")
    page = squeeze(here.get(URL))
    assert "Firefox on Linux" in page
    assert "Edge on Windows" in page
    assert "2001:db8::1" in page
    assert page.count("this session") == 1
    assert page.count("Last seen") == 2


def test_the_current_session_comes_first(ann: User) -> None:
    here = device(ann, FIREFOX)
    device(ann, EDGE)
    rows = list_sessions(ann.pk, here.session.session_key)
    assert [(row.browser, row.is_current) for row in rows] == [
        ("Firefox", True),
        ("Edge", False),
    ]


def test_a_revoked_session_is_signed_out_on_its_next_request(ann: User) -> None:
    here, other = device(ann, FIREFOX), device(ann, EDGE)
    assert other.get(URL).status_code == 200
    here.post(f"/settings/account/sessions/{session_of(EDGE).pk}/end/")
    assert other.get(URL)["Location"].startswith("/sign-in/")
    assert here.get(URL).status_code == 200
    assert "Edge" not in squeeze(here.get(URL))


def test_all_others_are_signed_out_at_once(ann: User) -> None:
    here = device(ann, FIREFOX)
    others = [device(ann, EDGE), device(ann, "curl/8.0")]
    here.post("/settings/account/sessions/end/")
    assert [each.get(URL).status_code for each in others] == [303, 303]
    assert here.get(URL).status_code == 200


def test_nobody_ends_the_session_of_somebody_else(ann: User) -> None:
    eve = User.objects.create_user("eve")
    device(ann, EDGE)
    asked = f"/settings/account/sessions/{session_of(EDGE).pk}/end/"
    assert device(eve, FIREFOX).post(asked).status_code == 404
    assert session_of(EDGE)


def test_signing_out_leaves_nothing_behind(ann: User) -> None:
    here = device(ann, FIREFOX)
    here.post("/sign-out/")
    assert not SignedInSession.objects.exists()
    assert not Session.objects.exists()


def test_a_request_within_the_minute_writes_nothing(ann: User) -> None:
    here = device(ann, FIREFOX)
    seen = session_of(FIREFOX).last_seen_at
    here.get("/jobs/")
    assert session_of(FIREFOX).last_seen_at == seen


def test_an_unreadable_address_is_no_obstacle(ann: User) -> None:
    page = squeeze(device(ann, "", "unix:").get(URL))
    assert "Unknown browser" in page
    assert "unknown ·" in page
