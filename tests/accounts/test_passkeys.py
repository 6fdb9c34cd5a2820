"""Passkeys: made with the password, used without one, never twice or by a copy."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from devrag.accounts.models import Passkey
from tests.authenticator import Authenticator

PASSWORD = "correct horse battery"
MAKE, ENTER = "/settings/account/passkeys/", "/sign-in/passkey/"


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann", password=PASSWORD)


@pytest.fixture
def browser() -> Client:
    return Client(HTTP_HOST="localhost")


def make(user: User, device: Authenticator, password: str = PASSWORD) -> HttpResponse:
    """Add a passkey to an account."""
    client = Client(HTTP_HOST="localhost")
    client.force_login(user)
    begun = client.post(f"{MAKE}begin/", {"password": password})
    if begun.status_code != 200:
        return begun
    given = begun.json()
    answer = json.dumps(device.make(given["options"]))
    return client.post(
        MAKE, {"state": given["state"], "answer": answer, "name": "laptop"}
    )


def begin(browser: Client) -> dict[str, Any]:
    found: dict[str, Any] = browser.post(f"{ENTER}begin/").json()
    return found


def enter(browser: Client, device: Authenticator, **more: str) -> HttpResponse:
    given = begin(browser)
    answer = json.dumps(device.sign(given["options"]))
    return browser.post(ENTER, {"state": given["state"], "answer": answer, **more})


def is_signed_in(browser: Client) -> bool:
    return browser.get("/settings/account/").status_code == 200


def test_a_passkey_signs_in(ann: User, browser: Client) -> None:
    device = Authenticator()
    assert make(ann, device).json() == {"location": "/settings/account/"}
    answer = enter(browser, device, next="/jobs/")
    assert answer.json() == {"location": "/jobs/"}
    assert is_signed_in(browser)
    passkey = Passkey.objects.get()
    assert (passkey.name, passkey.sign_count) == ("laptop", 1)


def test_it_leads_to_no_other_host(ann: User, browser: Client) -> None:
    device = Authenticator()
    make(ann, device)
    away = enter(browser, device, next="https://evil.example/")
    assert away.json() == {"location": "/"}


def test_it_is_made_with_the_password(ann: User) -> None:
    refused = make(ann, Authenticator(), "wrong")
    assert refused.status_code == 422
    assert refused.json() == {"problem": "Incorrect password."}
    assert not Passkey.objects.exists()


def test_an_answer_counts_once(ann: User, browser: Client) -> None:
    device = Authenticator()
    make(ann, device)
    given = begin(browser)
    sent = {
        "state": given["state"],
        "answer": json.dumps(device.sign(given["options"])),
    }
    assert browser.post(ENTER, sent).status_code == 200
    thief = Client(HTTP_HOST="localhost")
    assert thief.post(ENTER, sent).status_code == 403
    assert not is_signed_in(thief)


def test_a_challenge_ends_after_five_minutes(
    ann: User, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = Authenticator()
    make(ann, device)
    given = begin(browser)
    late = time.time() + 301
    monkeypatch.setattr(time, "time", lambda: late)
    answer = json.dumps(device.sign(given["options"]))
    sent = {"state": given["state"], "answer": answer}
    assert browser.post(ENTER, sent).status_code == 403


def test_a_copy_whose_counter_is_behind_is_refused(ann: User, browser: Client) -> None:
    device = Authenticator()
    make(ann, device)
    enter(Client(HTTP_HOST="localhost"), device)
    device.counter = 0
    assert enter(browser, device).status_code == 403
    assert not is_signed_in(browser)


@pytest.mark.parametrize(
    "change",
    [
        {"origin": "https://localhost.evil.example"},
        {"origin": "http://other.example"},
        {"flags": 0x01},  # present, but neither finger nor PIN
        {"flags": 0x04},  # nobody was there
        {"id": b"x" * 32},
        {"key": Authenticator().key},
    ],
)
def test_what_does_not_fit_is_refused(
    ann: User, browser: Client, change: dict[str, Any]
) -> None:
    device = Authenticator()
    make(ann, device)
    for name, value in change.items():
        setattr(device, name, value)
    assert enter(browser, device).status_code == 403
    assert not is_signed_in(browser)


@pytest.mark.parametrize(
    "answer",
    ["", "x", "[]", "{}", '{"id": 1}', '{"id": "YQ", "rawId": "YQ", "response": {}}'],
)
def test_answers_of_no_browser_are_refused(
    ann: User, browser: Client, answer: str
) -> None:
    state = begin(browser)["state"]
    refused = browser.post(ENTER, {"state": state, "answer": answer})
    assert refused.status_code == 403
    assert "This passkey is not known here." in refused.json()["problem"]
    client = Client(HTTP_HOST="localhost")
    client.force_login(ann)
    begun = client.post(f"{MAKE}begin/", {"password": PASSWORD}).json()
    made = client.post(MAKE, {"state": begun["state"], "answer": answer})
    assert made.status_code == 400


def test_nobody_takes_the_state_of_somebody_else(ann: User) -> None:
    other = Client(HTTP_HOST="localhost")
    other.force_login(User.objects.create_user("ben", password=PASSWORD))
    given = other.post(f"{MAKE}begin/", {"password": PASSWORD}).json()
    client = Client(HTTP_HOST="localhost")
    client.force_login(ann)
    answer = json.dumps(Authenticator().make(given["options"]))
    refused = client.post(MAKE, {"state": given["state"], "answer": answer})
    assert refused.status_code == 403
    assert not Passkey.objects.exists()


def test_a_passkey_belongs_to_one_account(ann: User) -> None:
    device = Authenticator()
    make(ann, device)
    ben = User.objects.create_user("ben", password=PASSWORD)
    assert make(ben, device).status_code == 400


def test_a_deactivated_account_stays_out(ann: User, browser: Client) -> None:
    device = Authenticator()
    make(ann, device)
    User.objects.update(is_active=False)
    assert enter(browser, device).status_code == 403


def test_only_local_administrators_where_the_provider_is_the_way(
    ann: User, browser: Client, settings: Settings
) -> None:
    device = Authenticator()
    make(ann, device)
    settings.OIDC_ONLY = True
    assert enter(browser, device).status_code == 403
    User.objects.update(is_superuser=True)
    assert enter(browser, device).status_code == 200


def test_it_is_removed_by_its_owner(ann: User, browser: Client) -> None:
    device = Authenticator()
    make(ann, device)
    path = f"{MAKE}{Passkey.objects.get().pk}/remove/"
    other = Client(HTTP_HOST="localhost")
    other.force_login(User.objects.create_user("ben"))
    assert other.post(path).status_code == 404
    other.force_login(ann)
    assert other.post(path).status_code == 302
    assert enter(browser, device).status_code == 403
