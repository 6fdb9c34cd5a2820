"""The page on which people change their own password."""

from __future__ import annotations

from typing import Any

import pytest
import structlog
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

URL = "/settings/account/"
OLD, NEW = "correct horse battery", "wooden table staple"


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann", password=OLD)


@pytest.fixture
def client(ann: User) -> Client:
    return device(ann)


def device(user: User) -> Client:
    made = Client(HTTP_HOST="localhost")
    made.force_login(user)
    return made


def change(client: Client, **changes: str) -> HttpResponse:
    given = {"old_password": OLD, "new_password1": NEW, "new_password2": NEW}
    return client.post(URL, {**given, **changes})


def test_a_changed_password_ends_all_other_sessions(ann: User, client: Client) -> None:
    other = device(ann)
    assert change(client)["Location"] == URL
    assert "Password changed." in client.get(URL).content.decode()
    assert other.get(URL).status_code == 303
    ann.refresh_from_db()
    assert ann.check_password(NEW)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"old_password": "wrong"}, "Incorrect password."),
        ({"old_password": ""}, "This field is required."),
        ({"new_password2": "other one"}, "The two passwords do not match."),
        ({"new_password1": "short", "new_password2": "short"}, "too short"),
        ({"new_password1": "password1", "new_password2": "password1"}, "too common"),
    ],
)
def test_what_cannot_be_taken_is_explained(
    ann: User, client: Client, changes: dict[str, str], problem: str
) -> None:
    answer = change(client, **changes)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert problem in page
    assert not any(word in page for word in (OLD, NEW, 'value="wrong"'))
    ann.refresh_from_db()
    assert ann.check_password(OLD)


def test_attempts_are_limited(ann: User, client: Client) -> None:
    for _ in range(5):
        assert change(client, old_password="wrong").status_code == 422
    answer = change(client)
    assert answer.status_code == 429
    assert 290 <= int(answer["Retry-After"]) <= 300
    assert "Too many failed attempts." in answer.content.decode()
    ann.refresh_from_db()
    assert ann.check_password(OLD)


def test_nothing_is_kept_of_what_was_typed(ann: User, client: Client) -> None:
    strict = Client(HTTP_HOST="localhost", enforce_csrf_checks=True)
    strict.force_login(ann)
    assert NEW not in change(strict).content.decode()
    answer = change(client, old_password=NEW)
    assert NEW not in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]


def test_a_change_is_logged_without_passwords(client: Client) -> None:
    client.defaults["REMOTE_ADDR"] = "no address"
    with structlog.testing.capture_logs() as logged:
        change(client)
    (entry,) = [entry for entry in logged if entry["event"] == "password_changed"]
    assert (entry["user_name"], entry["address"]) == ("ann", "unknown")
    assert not any(word in str(logged) for word in (OLD, NEW))


def test_an_account_without_a_password_has_no_form(db: None) -> None:
    page = device(User.objects.create_user("oidc")).get(URL).content.decode()
    assert "This account has no password." in page
    assert "old_password" not in page


def test_a_stranger_is_asked_to_sign_in(db: None) -> None:
    answer: Any = Client(HTTP_HOST="localhost").get(URL)
    assert answer["Location"] == "/sign-in/?next=%2Fsettings%2Faccount%2F"
