"""Failures in our words, as pages and as fragments."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import RequestDataTooBig
from django.test import Client, RequestFactory
from django.utils import timezone

from devrag.core.time_limit import TimeLimitExceeded
from devrag.http_server.body_limit import BodyLimit
from devrag.web.errors import answer_failure, bad_request, render_page_of, server_error

from .conftest import Harbour
from .markup import squeeze


def test_an_unknown_address_leads_on(db: None) -> None:
    response = Client(HTTP_HOST="localhost").get("/nowhere")
    assert response.status_code == 404
    page = response.content.decode()
    assert "Page not found" in page
    assert 'href="/sign-in/?next=/nowhere"' in page


def test_a_missing_page_is_searched_for_by_its_name(db: None) -> None:
    response = Client(HTTP_HOST="localhost").get("/p/shop/wiki/payment-flow.md")
    assert 'name="q" value="payment flow"' in squeeze(response).replace("\n", " ")


@pytest.mark.parametrize(
    ("language", "title"),
    [("en", "Something went wrong"), ("ja", "500")],
)
def test_a_failure_is_told_in_the_readers_language(
    rf: RequestFactory, language: str, title: str
) -> None:
    # No database in this test, and no middleware that chose a language before.
    response = server_error(rf.get("/", headers={"Accept-Language": language}))
    page = response.content.decode()
    assert f'<html lang="{language}">' in page
    assert title in page
    assert "UTC" in page


def test_the_time_of_a_failure_is_in_utc_wherever_the_reader_is(
    rf: RequestFactory,
) -> None:
    with timezone.override("Asia/Tokyo"):
        page = server_error(rf.get("/")).content.decode()
    found = re.search(r"<time[^>]*>([\d :-]+) UTC</time>", page)
    assert found
    at = datetime.strptime(found[1], "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
    assert abs(datetime.now(UTC) - at) < timedelta(hours=1)


def test_a_timeout_is_not_called_a_missing_service(rf: RequestFactory) -> None:
    response = answer_failure(rf.get("/search"), TimeLimitExceeded("It took too long."))
    page = response.content.decode()
    assert response.status_code == 503
    assert "The request timed out" in page
    assert "not running" not in page


def test_a_failure_page_that_knows_no_reader_offers_no_sign_in(
    rf: RequestFactory,
) -> None:
    assert 'href="/sign-in/' not in server_error(rf.get("/")).content.decode()


def test_commands_of_a_failure_page_are_code(rf: RequestFactory) -> None:
    page = server_error(rf.get("/")).content.decode()
    assert "<code>devrag doctor</code>" in page


def test_too_much_data_is_named(rf: RequestFactory) -> None:
    response = bad_request(rf.get("/"), RequestDataTooBig("too big"))
    assert response.status_code == 413
    assert "Request too large" in response.content.decode()


def test_htmx_gets_a_fragment(bob: Client) -> None:
    response = bob.get("/p/nope/", headers={"HX-Request": "true"})
    page = response.content.decode()
    assert response.status_code == 404
    assert "<html" not in page
    assert 'role="alert"' in page


def test_a_broken_server_still_has_a_page(rf: RequestFactory) -> None:
    # No database in this test: the page must not ask it for anything.
    response = server_error(rf.get("/"))
    assert response.status_code == 500
    assert "Something went wrong" in response.content.decode()


def test_a_page_open_too_long_says_what_to_do(db: None) -> None:
    client = Client(HTTP_HOST="localhost", enforce_csrf_checks=True)
    client.force_login(User.objects.create_superuser("root"))
    response = client.post("/add/", {"location": "x"})
    assert response.status_code == 403
    assert "open for too long" in response.content.decode()


@pytest.mark.parametrize("accept", ["text/html,*/*;q=0.8", "*/*"])
def test_a_body_that_is_too_large_is_told_as_a_page_to_browsers(accept: str) -> None:
    sent: list[dict[str, Any]] = []
    headers = [(b"content-length", b"2000000"), (b"accept", accept.encode())]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/add/",
        "query_string": b"",
        "headers": [*headers, (b"accept-language", b"ja"), (b"expect", b"100")],
    }

    async def send(message: Any) -> None:
        sent.append(message)

    async def never(*_: Any) -> Any:
        raise AssertionError

    asyncio.run(BodyLimit(never, page=render_page_of)(scope, never, send))
    assert sent[0]["status"] == 413
    is_page = b'<html lang="ja">' in sent[1]["body"]
    assert is_page == ("html" in accept)


def test_a_wrong_password_is_explained(db: None) -> None:
    client = Client(HTTP_HOST="localhost")
    response = client.post("/sign-in/", {"username": "eve", "password": "guess"})
    assert "Incorrect username or password." in response.content.decode()
    assert 'value="eve"' in response.content.decode()


def test_the_mermaid_frame_is_a_sandbox(db: None) -> None:
    response = Client(HTTP_HOST="localhost").get("/frames/mermaid")
    assert "sandbox allow-scripts" in response["Content-Security-Policy"]
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert response["X-Frame-Options"] == "SAMEORIGIN"


@pytest.mark.parametrize("address", ["/p/%00/", "/search?q=a%00b", "/p/x/wiki/%00"])
def test_a_nul_in_an_address_is_a_bad_request(db: None, address: str) -> None:
    assert Client(HTTP_HOST="localhost").get(address).status_code == 400


SETTINGS = "/p/harbour/settings/"
TYPED = {"title": "A <b>", "visibility": "members", "language": "ja"}


def test_a_form_of_who_is_signed_out_comes_back(
    stranger: Client, harbour: Harbour
) -> None:
    page = stranger.post(SETTINGS, TYPED)
    text = page.content.decode()
    assert page.status_code == 403
    assert ">A &lt;b&gt;</textarea>" in text
    assert '<input type="hidden" name="visibility" value="members">' in text
    assert "no longer signed in" in text
    assert f'action="{SETTINGS}"' in text


@pytest.mark.parametrize(
    ("origin", "comes_back"), [("http://localhost", True), ("http://evil.test", False)]
)
def test_a_form_of_another_session_comes_back_to_our_own_pages_only(
    harbour: Harbour, origin: str, comes_back: bool
) -> None:
    client = Client(HTTP_HOST="localhost", enforce_csrf_checks=True)
    client.force_login(User.objects.create_superuser("root"))
    page = client.post(SETTINGS, TYPED, headers={"Origin": origin})
    text = page.content.decode()
    assert page.status_code == 403
    assert ("A &lt;b&gt;</textarea>" in text) is comes_back
    harbour.product.refresh_from_db()
    assert harbour.product.title == "Harbour"
    if comes_back:
        assert "You are signed in again" in text
        form = text[text.index("note-form") :]
        token = re.findall(r'csrfmiddlewaretoken" value="(\w+)"', form)[0]
        again = {**TYPED, "csrfmiddlewaretoken": token}
        assert client.post(SETTINGS, again).status_code == 303


def test_a_password_never_comes_back(harbour: Harbour) -> None:
    client = Client(HTTP_HOST="localhost", enforce_csrf_checks=True)
    given = {"name": "x", "password": "correct horse"}
    page = client.post("/sign-in/", given, headers={"Origin": "http://localhost"})
    assert "correct horse" not in page.content.decode()


def test_a_page_missing_in_a_product_keeps_its_tabs(
    bob: Client, harbour: Harbour
) -> None:
    for address in ("/p/harbour/nowhere", "/p/harbour/wiki/nowhere"):
        page = squeeze(bob.get(address))
        assert 'href="/p/harbour/sources/"' in page
        assert 'type="hidden" name="product" value="harbour"' in page
        assert "sign in with an account" not in page


def test_a_product_that_one_may_not_see_shows_nothing(
    charlie: Client, harbour: Harbour
) -> None:
    page = charlie.get("/p/harbour/nowhere").content.decode()
    assert "Harbour" not in page


def test_a_mistyped_path_leads_to_the_file(bob: Client, harbour: Harbour) -> None:
    base = "/p/harbour/s/harbour-code/-/current"
    response = bob.get(f"{base}/src/greter.py")
    page = squeeze(response)
    assert response.status_code == 404
    assert "Did you mean “src/greeter.py”?" in page
    assert f'href="{base}/src/greeter.py"' in page
    assert "Did you mean" not in squeeze(bob.get(f"{base}/zzz.qqq"))


def test_a_known_reason_is_not_followed_by_general_advice(
    bob: Client, harbour: Harbour
) -> None:
    page = squeeze(bob.get("/p/harbour/s/harbour-code/-/current/src/greet.py"))
    assert "case-sensitive" not in page
    assert "What you can do" not in page
    assert "case-sensitive" in squeeze(bob.get("/p/harbour/nowhere/"))
    unknown = squeeze(bob.get("/p/nowhere/"))
    assert "case-sensitive" not in unknown
    assert "ask an administrator for access" in unknown
