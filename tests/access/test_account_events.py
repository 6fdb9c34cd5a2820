"""Who signs in, and what becomes of accounts, is in the audit log."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from devrag.audit.models import AuditEvent

PASSWORD = "correct horse battery"


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann", password=PASSWORD)


def _sign_in(name: str, password: str, address: str = "192.0.2.1") -> Client:
    client = Client(HTTP_HOST="localhost", REMOTE_ADDR=address)
    client.post("/sign-in/", {"username": name, "password": password})
    return client


def _events(action: str) -> list[AuditEvent]:
    return list(AuditEvent.objects.filter(action=action).order_by("pk"))


def test_signing_in_and_out(ann: User) -> None:
    _sign_in("ann", PASSWORD).post("/sign-out/")
    (begun,), (ended,) = _events("sign_in.succeeded"), _events("sign_in.ended")
    assert (begun.actor, begun.address, begun.entry) == ("ann", "192.0.2.1", "web")
    assert (ended.actor, ended.target) == ("ann", "ann")


def test_a_failure_names_the_account(ann: User) -> None:
    _sign_in("ann", "wrong one")
    (failed,) = _events("sign_in.failed")
    assert (failed.actor_kind, failed.target) == ("anonymous", "ann")
    assert failed.address == "192.0.2.1"


def test_a_failure_on_this_machine_is_nobodys(ann: User, settings: Settings) -> None:
    settings.IS_OPEN_READING = True
    _sign_in("ann", "wrong one", "127.0.0.1")
    (failed,) = _events("sign_in.failed")
    assert (failed.actor_kind, failed.user_name) == ("anonymous", "")


def test_what_is_no_account_is_not_kept(ann: User) -> None:
    """A password typed into the field of the name would be."""
    _sign_in(PASSWORD, "ann")
    (failed,) = _events("sign_in.failed")
    assert (failed.target, failed.details) == ("", {"isKnown": False})


def test_no_event_has_a_password(ann: User) -> None:
    _sign_in("ann", "wrong one")
    ann.set_password("a new long one")
    ann.save()
    rows = AuditEvent.objects.values_list()
    assert "wrong one" not in str(list(rows))
    assert "a new long one" not in str(list(rows))
    assert "pbkdf2" not in str(list(rows))


def test_who_goes_on_while_locked_fills_no_table(ann: User) -> None:
    for _ in range(12):
        _sign_in("ann", "wrong one")
    assert len(_events("sign_in.failed")) == 5
    assert len(_events("sign_in.locked")) == 1
    _sign_in("ann", "wrong one", "192.0.2.2")
    assert [each.address for each in _events("sign_in.failed")][-1] == "192.0.2.2"


def test_changes_of_a_user_have_both_values(ann: User) -> None:
    ann.is_staff, ann.email = True, "ann@example.com"
    ann.save()
    (changed,) = _events("user.changed")
    assert changed.target == "ann"
    assert changed.details == {
        "is_staff": {"from": False, "to": True},
        "email": {"from": "", "to": "ann@example.com"},
    }
    ann.save()
    assert len(_events("user.changed")) == 1


def test_a_command_that_makes_an_administrator_is_recorded(db: None) -> None:
    call_command(
        "createsuperuser", interactive=False, username="root", email="r@example.com"
    )
    (made,) = _events("user.created")
    assert (made.entry, made.actor_kind, made.target) == ("command", "os_user", "root")
    assert made.details["is_superuser"] is True


def test_the_account_page_tells_of_a_new_password(ann: User) -> None:
    client = _sign_in("ann", PASSWORD)
    new = "another long password"
    given = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    client.post("/settings/account/", given)
    (changed,) = _events("user.password_changed")
    assert (changed.actor, changed.target, changed.details) == ("ann", "ann", {})


def test_a_deleted_user_is_named(ann: User) -> None:
    ann.delete()
    assert [each.target for each in _events("user.deleted")] == ["ann"]
