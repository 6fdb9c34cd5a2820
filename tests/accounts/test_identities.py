"""Whose account a person gets: never one that somebody else has."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import unquote

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from devrag.accounts.models import ExternalIdentity
from devrag.accounts.oidc.claims import Claims
from devrag.accounts.oidc.configuration import configured_provider
from devrag.accounts.oidc.identities import sign_in_user
from tests.oidc_provider import OidcProvider

from .conftest import SignIn

PASSWORD = "correct horse battery"
VERIFIED = {"sub": "s-1", "email": "Ann@Example.com", "email_verified": True}


def text(answer: HttpResponse) -> str:
    return answer.content.decode()


def link_in(page: str) -> str:
    """Return the token with which the account page links an account."""
    return unquote(page.partition('href="/sign-in/oidc/?link=')[2].partition('"')[0])


def ann(**more: Any) -> User:
    return User.objects.create_user("ann", "ann@example.com", PASSWORD, **more)


def test_a_verified_address_links_the_account_that_has_it(sign_in: SignIn) -> None:
    user = ann()
    assert sign_in(VERIFIED).status_code == 302
    assert ExternalIdentity.objects.get().user == user
    assert User.objects.get().check_password(PASSWORD)


@pytest.mark.parametrize(
    "verified", [None, False, "false", 0, "", "yes", 1.5, [True], {"a": 1}]
)
def test_an_address_that_is_not_verified_takes_over_nothing(
    sign_in: SignIn, browser: Client, verified: Any
) -> None:
    ann()
    answer = sign_in({**VERIFIED, "email_verified": verified})
    assert answer.status_code == 403
    assert "Sign in with its password and link it under Account" in text(answer)
    assert not ExternalIdentity.objects.exists()
    assert browser.get("/settings/account/").status_code == 303


def test_an_administrator_is_never_linked_by_an_address(sign_in: SignIn) -> None:
    ann(is_superuser=True)
    assert sign_in(VERIFIED).status_code == 403
    assert not ExternalIdentity.objects.exists()


def test_two_accounts_with_one_address_are_not_chosen_between(sign_in: SignIn) -> None:
    ann()
    User.objects.create_user("ann2", "ANN@example.com")
    assert sign_in(VERIFIED).status_code == 403


def test_a_second_person_with_the_address_does_not_get_the_linked_account(
    sign_in: SignIn,
) -> None:
    ann()
    sign_in(VERIFIED)
    assert sign_in({**VERIFIED, "sub": "s-2"}).status_code == 403
    assert ExternalIdentity.objects.get().subject == "s-1"


def test_a_user_name_takes_over_nothing(sign_in: SignIn) -> None:
    ann()
    sign_in({"sub": "s-9", "preferred_username": "ANN"})
    assert set(User.objects.values_list("username", flat=True)) == {"ann", "ANN-2"}


@pytest.mark.parametrize("name", ["system", "Anonymous", "admin"])
def test_names_of_the_installation_are_not_given(sign_in: SignIn, name: str) -> None:
    sign_in({"sub": "s-9", "preferred_username": name})
    assert User.objects.get().username == f"{name}-user"


def test_a_deactivated_account_stays_out(sign_in: SignIn, browser: Client) -> None:
    sign_in(VERIFIED)
    User.objects.update(is_active=False)
    other = Client(HTTP_HOST="localhost")
    answer = sign_in(VERIFIED, client=other)
    assert answer.status_code == 403
    assert "Your account is deactivated." in text(answer)
    assert browser.get("/settings/account/").status_code == 303


def test_an_address_that_somebody_else_has_is_not_taken_over_later(
    sign_in: SignIn,
) -> None:
    sign_in({**VERIFIED, "email": "x@example.com"})
    ann()
    sign_in(VERIFIED)
    addresses = User.objects.order_by("pk").values_list("email", flat=True)
    assert list(addresses) == ["x@example.com", "ann@example.com"]


def test_an_account_with_a_password_is_linked_by_who_has_it(
    provider: OidcProvider, sign_in: SignIn, browser: Client
) -> None:
    user = ann(is_superuser=True)
    browser.force_login(user)
    page = text(browser.get("/settings/account/"))
    link = link_in(page)
    answer = sign_in(VERIFIED, start={"link": link})
    assert answer["Location"] == "/settings/account/"
    assert ExternalIdentity.objects.get().user == user
    page = text(browser.get("/settings/account/"))
    assert "Your account is linked to Example ID." in page
    assert browser.post("/settings/account/identity/unlink/").status_code == 302
    assert not ExternalIdentity.objects.exists()
    assert User.objects.get().is_superuser


def test_nobody_links_the_account_of_somebody_else(
    provider: OidcProvider, sign_in: SignIn, browser: Client
) -> None:
    browser.force_login(ann())
    page = text(browser.get("/settings/account/"))
    link = link_in(page)
    other = Client(HTTP_HOST="localhost")
    assert other.get("/sign-in/oidc/", {"link": link}).status_code == 404
    assert browser.get("/sign-in/oidc/", {"link": "x"}).status_code == 404
    begun = browser.get("/sign-in/oidc/", {"link": link})
    browser.logout()
    # The cookie of the sign-in stays, the session does not.
    browser.cookies.update(begun.cookies)
    answer = browser.get(
        "/sign-in/oidc/callback/", provider.authorize(begun["Location"])
    )
    assert answer.status_code == 404
    assert not ExternalIdentity.objects.exists()


def test_a_person_who_has_an_account_is_not_linked_to_another(
    provider: OidcProvider, sign_in: SignIn
) -> None:
    sign_in({"sub": "s-1"})
    other = Client(HTTP_HOST="localhost")
    other.force_login(ann())
    page = text(other.get("/settings/account/"))
    link = link_in(page)
    answer = sign_in(VERIFIED, client=other, start={"link": link})
    assert answer.status_code == 409
    assert "linked to another user here" in text(answer)


def test_the_only_way_in_is_not_unlinked(sign_in: SignIn, browser: Client) -> None:
    sign_in(VERIFIED)
    browser.post("/settings/account/identity/unlink/")
    assert ExternalIdentity.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_first_sign_ins_at_once_make_one_account(settings: Settings) -> None:
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID = "https://id.example", "c"
    configuration = configured_provider()
    assert configuration is not None
    claims = Claims("https://id.example", "s-1", "ann", "", "", "", False, ())

    def enter(_: int) -> int:
        try:
            return sign_in_user(claims, configuration).pk
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(enter, range(4)))) == 1
    assert User.objects.count() == 1


# -- only by OpenID Connect -------------------------------------------------------


@pytest.fixture
def only(provider: OidcProvider, settings: Settings) -> None:
    settings.OIDC_ONLY = True


def test_only_local_administrators_use_a_password_then(
    only: None, browser: Client
) -> None:
    ann()
    given = {"username": "ann", "password": PASSWORD}
    answer = browser.post("/sign-in/", given)
    assert "Only local administrators sign in with a password here." in text(answer)
    assert browser.get("/settings/account/").status_code == 303
    User.objects.update(is_superuser=True)
    assert browser.post("/sign-in/", given).status_code == 302


def test_a_wrong_password_says_nothing_of_the_account(
    only: None, browser: Client
) -> None:
    ann()
    answer = browser.post("/sign-in/", {"username": "ann", "password": "wrong"})
    assert "Incorrect username or password." in text(answer)


def test_the_form_is_behind_a_link_then(only: None, browser: Client) -> None:
    page = text(browser.get("/sign-in/?next=/jobs/"))
    assert "Sign in with Example ID" in page
    assert 'type="password"' not in page
    assert "?local=1&amp;next=%2Fjobs%2F" in page
    assert 'type="password"' in text(browser.get("/sign-in/?local=1"))
