"""A sign-in to the provider and back, and every answer that must not let anybody in."""

from __future__ import annotations

import threading
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from devrag.accounts.models import ExternalIdentity
from devrag.accounts.oidc import flow, http
from tests.oidc_provider import OidcProvider

from .conftest import SignIn

CALLBACK = "/sign-in/oidc/callback/"
ANN = {
    "sub": "s-ann",
    "preferred_username": "ann",
    "name": "Ann Lee",
    "email": "ann@example.com",
    "email_verified": True,
}


def text(answer: HttpResponse) -> str:
    return answer.content.decode()


def is_signed_in(client: Client) -> bool:
    return client.get("/settings/account/").status_code == 200


def begin(client: Client) -> str:
    answer = client.get("/sign-in/oidc/")
    assert answer.status_code == 302
    return str(answer["Location"])


def test_somebody_new_gets_an_account_and_is_led_on(
    sign_in: SignIn, browser: Client
) -> None:
    answer = sign_in(ANN, start={"next": "/jobs/"})
    assert (answer.status_code, answer["Location"]) == (302, "/jobs/")
    user = User.objects.get()
    assert (user.username, user.email) == ("ann", "ann@example.com")
    assert user.get_full_name() == "Ann Lee"
    assert not user.has_usable_password()
    assert not user.is_staff
    assert is_signed_in(browser)
    assert browser.session.get_expiry_age() <= 24 * 3600


def test_the_second_sign_in_is_the_same_account(sign_in: SignIn) -> None:
    sign_in(ANN)
    sign_in({**ANN, "preferred_username": "annette", "email": "new@example.com"})
    user = User.objects.get()
    assert (user.username, user.email) == ("ann", "new@example.com")


def test_the_address_of_the_provider_has_state_nonce_and_challenge(
    provider: OidcProvider, browser: Client
) -> None:
    query = parse_qs(urlsplit(begin(browser)).query)
    assert query["code_challenge_method"] == ["S256"]
    assert query["redirect_uri"] == [f"http://localhost{CALLBACK}"]
    again = parse_qs(urlsplit(begin(browser)).query)
    for name in ("state", "nonce", "code_challenge"):
        assert len(query[name][0]) >= 32
        assert query[name] != again[name]


def test_the_cookie_is_out_of_reach_of_scripts(
    provider: OidcProvider, browser: Client
) -> None:
    begin(browser)
    cookie = browser.cookies[flow.COOKIE]
    assert cookie["httponly"]
    assert (cookie["samesite"], cookie["path"]) == ("Lax", "/sign-in/oidc/")


@pytest.mark.parametrize(
    "away",
    ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.test"],
)
def test_it_leads_on_to_no_other_host(sign_in: SignIn, away: str) -> None:
    assert sign_in(ANN, start={"next": away})["Location"] == "/"


# -- whose answer it is -----------------------------------------------------------


def test_an_answer_that_nobody_asked_for_is_refused(
    provider: OidcProvider, browser: Client
) -> None:
    answer = provider.authorize(begin(Client(HTTP_HOST="localhost")))
    refused = browser.get(CALLBACK, answer)
    assert refused.status_code == 403
    assert "started in another browser" in text(refused)
    assert not is_signed_in(browser)
    assert "/token" not in provider.asked


def test_another_state_is_refused(provider: OidcProvider, browser: Client) -> None:
    answer = provider.authorize(begin(browser))
    assert browser.get(CALLBACK, {**answer, "state": "x" * 32}).status_code == 403
    assert browser.get(CALLBACK, {"code": "x"}).status_code == 403


def test_an_answer_counts_once(provider: OidcProvider, browser: Client) -> None:
    provider.person = ANN
    answer = provider.authorize(begin(browser))
    cookie = browser.cookies[flow.COOKIE].value
    assert browser.get(CALLBACK, answer).status_code == 302
    thief = Client(HTTP_HOST="localhost")
    thief.cookies[flow.COOKIE] = cookie
    assert thief.get(CALLBACK, answer).status_code == 403
    assert not is_signed_in(thief)


def test_a_sign_in_ends_after_ten_minutes(
    provider: OidcProvider, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = provider.authorize(begin(browser))
    late = time.time() + flow.MOST_SECONDS + 1
    monkeypatch.setattr(signing.time, "time", lambda: late)
    assert browser.get(CALLBACK, answer).status_code == 403


@pytest.mark.parametrize("cookie", ["", "x", "a:b:c", "é"])
def test_a_cookie_that_was_made_up_is_refused(
    provider: OidcProvider, browser: Client, cookie: str
) -> None:
    browser.cookies[flow.COOKIE] = cookie
    assert browser.get(CALLBACK, {"code": "x", "state": ""}).status_code == 403


def test_the_providers_refusal_is_told_in_its_words(
    provider: OidcProvider, browser: Client
) -> None:
    state = provider.authorize(begin(browser))["state"]
    said = "<b>Not</b> assigned" + "!" * 1000
    answer = browser.get(
        CALLBACK,
        {"state": state, "error": "access_denied", "error_description": said},
    )
    assert answer.status_code == 403
    assert "Example ID refused the sign-in (access_denied: &lt;b&gt;Not" in text(answer)
    assert "!" * 200 not in text(answer)


def test_a_refusal_without_a_sign_in_is_not_repeated(
    provider: OidcProvider, browser: Client
) -> None:
    answer = browser.get(CALLBACK, {"error": "x", "error_description": "Call 555"})
    assert answer.status_code == 403
    assert "Call 555" not in text(answer)


def test_an_answer_of_another_issuer_is_refused(
    provider: OidcProvider, browser: Client
) -> None:
    answer = provider.authorize(begin(browser))
    refused = browser.get(CALLBACK, {**answer, "iss": "https://other.example"})
    assert refused.status_code == 502
    assert "another issuer" in text(refused)


# -- the token --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ({"nonce": "another"}, "another sign-in"),
        ({"nonce": None}, "another sign-in"),
        ({"aud": "other-client"}, "Audience"),
        ({"aud": ["devrag-client", "other"]}, "another application"),
        ({"azp": "other-client"}, "another application"),
        ({"iss": "https://other.example"}, "issuer"),
        ({"iss": None}, "iss"),
        ({"exp": int(time.time()) - 3600}, "has expired"),
        ({"exp": None}, "exp"),
        ({"iat": int(time.time()) + 3600}, "not valid yet"),
        ({"nbf": int(time.time()) + 3600}, "not valid yet"),
        ({"sub": ""}, "has no subject"),
        ({"sub": "s" * 256}, "has no subject"),
        ({"sub": "a\x00b"}, "has no subject"),
    ],
)
def test_a_token_that_is_not_for_this_sign_in_is_refused(
    provider: OidcProvider,
    sign_in: SignIn,
    browser: Client,
    token: dict[str, Any],
    reason: str,
) -> None:
    provider.token = token
    answer = sign_in(ANN)
    assert answer.status_code == 502
    assert reason in text(answer)
    assert not is_signed_in(browser)
    assert not User.objects.exists()


@pytest.mark.parametrize("away", [-50, 50])
def test_clocks_may_be_a_little_apart(
    provider: OidcProvider, sign_in: SignIn, away: int
) -> None:
    now = int(time.time()) + away
    provider.token = {"iat": now, "nbf": now, "exp": now + 10}
    assert sign_in(ANN).status_code == 302


def test_a_token_for_several_that_names_this_client_is_accepted(
    provider: OidcProvider, sign_in: SignIn
) -> None:
    provider.token = {"aud": ["devrag-client", "api"], "azp": "devrag-client"}
    assert sign_in(ANN).status_code == 302


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_token_that_anybody_could_sign_is_refused(
    provider: OidcProvider, sign_in: SignIn, algorithm: str
) -> None:
    provider.algorithm = algorithm
    provider.metadata = {"id_token_signing_alg_values_supported": [algorithm]}
    assert sign_in(ANN).status_code == 502
    assert not User.objects.exists()


def test_a_token_that_was_changed_is_refused(
    provider: OidcProvider, sign_in: SignIn
) -> None:
    provider.rotate()
    provider.kid = "one"  # the name of a key that did not sign it
    provider.published = [("one", provider.published[0][1])]
    assert sign_in(ANN).status_code == 302
    provider.key = OidcProvider.__init__.__globals__["_KEYS"][0]
    assert sign_in(ANN).status_code == 502


def test_keys_may_be_rotated(
    provider: OidcProvider, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devrag.accounts.oidc.provider._AGAIN_SECONDS", 0)
    assert sign_in(ANN).status_code == 302
    provider.rotate()
    assert sign_in(ANN).status_code == 302


def test_unknown_keys_do_not_make_us_ask_for_them_all_the_time(
    provider: OidcProvider, sign_in: SignIn
) -> None:
    provider.published = []
    for _ in range(3):
        assert "a key that is not known" in text(sign_in(ANN))
    assert provider.asked.count("/keys") == 1


# -- the provider -----------------------------------------------------------------


def test_a_provider_that_is_away_is_told_with_the_way_out(
    provider: OidcProvider, browser: Client, settings: Settings
) -> None:
    settings.OIDC_ISSUER = "http://127.0.0.1:9"
    answer = browser.get("/sign-in/oidc/")
    assert answer.status_code == 502
    assert "Cannot sign in with Example ID" in text(answer)
    assert "it refused the connection" in text(answer)
    assert "Password" in text(answer)


@pytest.mark.parametrize(
    ("path", "status", "body", "reason"),
    [
        ("/.well-known/openid-configuration", 404, "", "HTTP 404"),
        ("/.well-known/openid-configuration", 200, "<html>", "not a JSON object"),
        ("/.well-known/openid-configuration", 200, "[" * 100_000, "not a JSON object"),
        ("/.well-known/openid-configuration", 200, "[]", "not a JSON object"),
        ("/.well-known/openid-configuration", 200, '{"a": 1}', "another issuer"),
        ("/.well-known/openid-configuration", 302, "http://127.0.0.1:9/", "HTTP 302"),
        ("/keys", 500, "", "HTTP 500"),
        ("/keys", 200, '{"keys": 1}', "its keys are not a list"),
        ("/keys", 200, '{"keys": [1, {"kid": "one", "kty": "?"}]}', "not valid"),
        ("/token", 200, "x" * 2_000_000, "too large"),
        ("/token", 200, "{}", "no ID token"),
        ("/token", 200, '{"id_token": "a.b.c"}', "not valid"),
        ("/token", 401, '{"error": "invalid_client"}', "invalid_client"),
        ("/userinfo", 401, "", "HTTP 401"),
    ],
)
def test_answers_that_are_no_use_are_told(
    provider: OidcProvider,
    sign_in: SignIn,
    path: str,
    status: int,
    body: str,
    reason: str,
) -> None:
    provider.answers[path] = (status, body)
    answer = sign_in({"sub": "s"})
    assert answer.status_code in {403, 502}
    assert reason in text(answer)
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://169.254.169.254/token",
        "http://1.1.1.1/token",
        "ftp://127.0.0.1/token",
        "http://[::1",
        "file:///etc/passwd",
    ],
)
def test_endpoints_follow_the_rules_for_outgoing_addresses(
    provider: OidcProvider, sign_in: SignIn, endpoint: str
) -> None:
    provider.metadata = {"token_endpoint": endpoint}
    answer = sign_in(ANN)
    assert answer.status_code == 502
    assert not User.objects.exists()


def test_a_provider_that_hangs_keeps_few_threads(
    provider: OidcProvider, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "_turns", threading.BoundedSemaphore(1))
    monkeypatch.setattr(http, "_MOST_WAIT_SECONDS", 0.01)
    with http._turns:
        answer = browser.get("/sign-in/oidc/")
    assert answer.status_code == 502
    assert "too many requests wait for it" in text(answer)
    assert browser.get("/sign-in/oidc/").status_code == 302


def test_loopback_is_refused_where_only_public_addresses_are_allowed(
    provider: OidcProvider, browser: Client, settings: Settings
) -> None:
    settings.SOURCES_PUBLIC_ONLY = True
    assert browser.get("/sign-in/oidc/").status_code == 502
    assert provider.asked == []


def test_without_a_provider_there_is_nothing_of_it(db: None, browser: Client) -> None:
    assert browser.get("/sign-in/oidc/").status_code == 404
    assert browser.get(CALLBACK).status_code == 404
    page = text(browser.get("/sign-in/"))
    assert "oidc" not in page
    assert "First start?" in page
    User.objects.create_user("ann", last_login=timezone.now())
    assert "First start?" not in text(browser.get("/sign-in/"))


# -- claims -----------------------------------------------------------------------


def test_what_the_token_lacks_is_asked_of_userinfo(
    provider: OidcProvider, sign_in: SignIn
) -> None:
    provider.user_info = ANN
    sign_in({"sub": "s-ann"})
    assert User.objects.get().email == "ann@example.com"


def test_userinfo_about_somebody_else_is_refused(
    provider: OidcProvider, sign_in: SignIn
) -> None:
    provider.user_info = {**ANN, "sub": "s-other"}
    assert "somebody else" in text(sign_in({"sub": "s-ann"}))


def test_one_source_verifies_no_address_of_the_other(
    provider: OidcProvider, sign_in: SignIn
) -> None:
    User.objects.create_user("ben", email="ben@example.com")
    provider.user_info = {"sub": "s", "email": "x@example.com", "email_verified": True}
    sign_in({"sub": "s", "email": "ben@example.com"})
    identity = ExternalIdentity.objects.get()
    assert identity.user.username != "ben"
    assert identity.email == "x@example.com"


@pytest.mark.parametrize(
    "claims",
    [
        {"preferred_username": "a" * 20_000, "name": "n" * 20_000},
        {"preferred_username": "\u202egro\x00.<script>", "name": "\x00\n\r"},
        {"preferred_username": ["a"], "name": {"a": 1}, "email": 7},
        {"preferred_username": "", "email": "no address"},
        {"preferred_username": "../../etc", "given_name": "’; DROP TABLE"},
        {"email": "a" * 300 + "@example.com", "email_verified": "yes"},
    ],
)
def test_hostile_claims_make_harmless_names(
    provider: OidcProvider, sign_in: SignIn, claims: dict[str, Any]
) -> None:
    assert sign_in({"sub": "s", **claims}).status_code == 302
    user = User.objects.get()
    user.full_clean(exclude=["password"])
    assert 0 < len(user.username) <= 150
