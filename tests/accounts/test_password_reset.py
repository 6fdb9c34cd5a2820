"""A forgotten password: nobody learns who has an account, and a link counts once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import connections
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from devrag.accounts import password_reset
from devrag.accounts.password_reset import reset_password, send_reset_links
from devrag.core.errors import NotFound
from tests.smtp_server import SmtpServer, smtp_server

OLD, NEW = "correct horse battery", "wooden table staple"
FORM = {"new_password1": NEW, "new_password2": NEW}
FORGOT = "/sign-in/forgot/"


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann", "Ann@example.com", OLD)


@pytest.fixture
def browser() -> Client:
    return Client(HTTP_HOST="localhost")


@pytest.fixture
def mail(settings: Settings) -> Iterator[SmtpServer]:
    with smtp_server() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        settings.PUBLIC_URL = "https://devrag.example"
        yield server


def link_of(mail: SmtpServer) -> str:
    found = re.search(
        r"https://devrag\.example(/sign-in/reset/\S+/)", mail.messages[-1]
    )
    assert found
    return found[1]


def text(answer: HttpResponse) -> str:
    return answer.content.decode()


def test_a_link_replaces_the_password_and_ends_all_sessions(
    ann: User, mail: SmtpServer, browser: Client
) -> None:
    device = Client(HTTP_HOST="localhost")
    device.force_login(ann)
    assert device.get("/settings/account/").status_code == 200
    assert send_reset_links("ann@EXAMPLE.com", "en") == 1
    assert mail.recipients == ["Ann@example.com"]
    link = link_of(mail)
    assert "For the account ann." in text(browser.get(link))
    assert browser.post(link, FORM)["Location"] == "/sign-in/"
    assert "Password changed. Sign in with the new one." in text(
        browser.get("/sign-in/")
    )
    assert device.get("/settings/account/").status_code == 303
    ann.refresh_from_db()
    assert ann.check_password(NEW)
    again = browser.post(link, FORM)
    assert again.status_code == 404
    assert "This link was used already or has expired." in text(again)


@pytest.mark.parametrize("address", ["ann@example.com", "nobody@example.com"])
def test_the_page_tells_nobody_who_has_an_account(
    ann: User,
    mail: SmtpServer,
    browser: Client,
    monkeypatch: pytest.MonkeyPatch,
    address: str,
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(
        password_reset.current_app, "send_task", lambda *_, **more: sent.append(more)
    )
    answer = browser.post(FORGOT, {"address": address})
    assert answer.status_code == 200
    assert f"If an account has the address {address}, a message" in text(answer)
    assert [each["args"][0] for each in sent] == [address]
    assert mail.messages == []
    for _ in range(2):
        browser.post(FORGOT, {"address": address.upper()})
    locked = browser.post(FORGOT, {"address": address})
    assert locked.status_code == 429
    assert int(locked["Retry-After"]) > 3000
    assert len(sent) == 3


@pytest.mark.parametrize(
    "changes",
    [{"is_active": False}, {"password": "!"}, {"email": ""}, {"email": "a@b.example"}],
)
def test_who_gets_no_message(
    ann: User, mail: SmtpServer, changes: dict[str, Any]
) -> None:
    User.objects.update(**changes)
    assert send_reset_links("ann@example.com", "en") == 0
    assert mail.messages == []


def test_where_passwords_are_for_administrators_only_they_get_a_message(
    ann: User, mail: SmtpServer, settings: Settings
) -> None:
    settings.OIDC_ONLY = True
    assert send_reset_links("ann@example.com", "en") == 0
    User.objects.update(is_superuser=True)
    assert send_reset_links("ann@example.com", "en") == 1


def test_a_link_ends_after_an_hour(
    ann: User,
    mail: SmtpServer,
    browser: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    send_reset_links("ann@example.com", "en")
    later = datetime.now() + timedelta(seconds=3602)  # noqa: DTZ005  # as Django's
    monkeypatch.setattr(PasswordResetTokenGenerator, "_now", lambda _: later)
    assert browser.get(link_of(mail)).status_code == 404


def test_a_link_ends_with_another_sign_in(
    ann: User, mail: SmtpServer, browser: Client
) -> None:
    send_reset_links("ann@example.com", "en")
    browser.post("/sign-in/", {"username": "ann", "password": OLD})
    assert browser.get(link_of(mail)).status_code == 404


@pytest.mark.parametrize("uid", ["MQ", "x", "OTk5OTk5OTk5OTk5OTk5OTk5", "é", "LTE"])
def test_links_that_were_made_up(ann: User, browser: Client, uid: str) -> None:
    assert browser.get(f"/sign-in/reset/{uid}/abc-123/").status_code == 404


def test_a_weak_password_is_refused_and_the_link_stays(
    ann: User, mail: SmtpServer, browser: Client
) -> None:
    send_reset_links("ann@example.com", "en")
    weak = {"new_password1": "short", "new_password2": "short"}
    answer = browser.post(link_of(mail), weak)
    assert answer.status_code == 422
    assert "too short" in text(answer)
    assert browser.post(link_of(mail), FORM).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_two_who_use_a_link_at_once(mail: SmtpServer) -> None:
    User.objects.create_user("ann", "ann@example.com", OLD)
    send_reset_links("ann@example.com", "en")
    *_, uid, token, _ = link_of(mail).split("/")

    def use(number: int) -> bool:
        try:
            reset_password(uid, token, f"{NEW} {number}")
        except NotFound:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(use, range(3))) == [False, False, True]


def test_a_mail_server_that_is_away_is_logged_only(
    ann: User, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    assert send_reset_links("ann@example.com", "en") == 0


def test_without_e_mail_there_is_no_such_page(ann: User, browser: Client) -> None:
    assert browser.get(FORGOT).status_code == 404
    assert "Forgot your password?" not in text(browser.get("/sign-in/"))
