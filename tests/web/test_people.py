"""The page of accounts: who sees it, and what administrators do there."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from devrag.accounts.models import ExternalIdentity, Passkey, SecondFactor
from devrag.accounts.second_factor import begin_second_factor
from devrag.audit.models import AuditEvent
from devrag.products.models import Membership, Product

PAGE = "/settings/people/"
PASSWORD = "correct horse battery"


def _signed_in(user: User) -> Client:
    client = Client(HTTP_HOST="localhost")
    client.force_login(user)
    return client


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_superuser("ann", "ann@example.com", PASSWORD)


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob", "bob@example.com", PASSWORD)


@pytest.fixture
def admin(ann: User) -> Client:
    return _signed_in(ann)


def _post(client: Client, user: User, action: str, **fields: str) -> str:
    address = f"{PAGE}{user.pk}/"
    given = {"action": action, **fields}
    return client.post(address, given, follow=True).content.decode()


def test_only_administrators_see_it(ann: User, bob: User) -> None:
    bob.is_staff = True
    bob.save()
    client = _signed_in(bob)
    assert client.get(PAGE).status_code == 403
    assert client.post(f"{PAGE}{ann.pk}/", {"action": "deactivate"}).status_code == 403
    assert User.objects.get(username="ann").is_active
    assert "settings/people" not in client.get("/settings/account/").content.decode()


def test_accounts_are_listed_with_role_and_state(admin: Client, bob: User) -> None:
    User.objects.create_user("eve", is_active=False, is_staff=True)
    product = Product.objects.create(name="shop")
    Membership.objects.create(product=product, user=bob)
    text = admin.get(PAGE).content.decode()
    assert "3 accounts" in text
    assert "bob@example.com" in text
    assert "member of 1 product" in text
    assert "deactivated" in text
    assert "never signed in" in text
    assert f'href="{PAGE}"' in admin.get("/settings/account/").content.decode()


def test_the_search_finds_names_and_addresses(admin: Client, bob: User) -> None:
    text = admin.get(PAGE, {"q": "BOB example"}).content.decode()
    assert "1 account" in text
    assert f'id="dr-person-{bob.pk}"' in text
    assert "No accounts match." in admin.get(f"{PAGE}?q=zed").content.decode()


def test_the_list_takes_few_queries(
    admin: Client, bob: User, django_assert_max_num_queries: object
) -> None:
    for number in range(30):
        User.objects.create_user(f"user{number}")
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        admin.get(PAGE)


def test_a_role_and_an_address_are_changed(admin: Client, bob: User) -> None:
    given = {"role": "creator", "email": "robert@example.com"}
    assert "bob is changed." in _post(admin, bob, "save", **given)
    bob.refresh_from_db()
    assert (bob.is_staff, bob.is_superuser) == (True, False)
    assert bob.email == "robert@example.com"
    _post(admin, bob, "save", role="administrator", email="")
    bob.refresh_from_db()
    assert (bob.is_staff, bob.is_superuser, bob.email) == (True, True, "")
    event = AuditEvent.objects.filter(action="user.changed").latest("pk")
    assert (event.actor, event.target) == ("ann", "bob")
    assert event.details["is_superuser"] == {"from": False, "to": True}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"role": "king", "email": ""}, "Unknown role."),
        ({"role": "viewer", "email": "nowhere"}, "Enter a valid email address."),
        ({"role": "viewer", "email": "ANN@example.com"}, "Another account has this"),
    ],
)
def test_what_is_wrong_is_said(
    admin: Client, bob: User, fields: dict[str, str], said: str
) -> None:
    assert said in _post(admin, bob, "save", **fields)
    bob.refresh_from_db()
    assert bob.email == "bob@example.com"


def test_a_role_of_a_group_is_left_alone(admin: Client, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_superuser=True, is_staff=True)
    ExternalIdentity.objects.create(
        user=bob, issuer="i", subject="s", gave_administrator=True
    )
    given = {"role": "viewer", "email": ""}
    assert "comes from a group" in _post(admin, bob, "save", **given)
    bob.refresh_from_db()
    assert bob.is_superuser


def test_a_deactivated_account_is_out_at_once(admin: Client, bob: User) -> None:
    device = _signed_in(bob)
    assert device.get("/settings/account/").status_code == 200
    assert "bob is deactivated" in _post(admin, bob, "deactivate")
    assert device.get("/settings/account/").status_code == 303
    assert "bob is active again." in _post(admin, bob, "activate")
    bob.refresh_from_db()
    assert bob.is_active


def test_the_second_step_is_turned_off(admin: Client, bob: User) -> None:
    begin_second_factor(bob.pk)
    Passkey.objects.create(
        user=bob, name="Laptop", host="localhost", credential_id="x", credential="x"
    )
    assert "Turn off two-step sign-in" in admin.get(PAGE).content.decode()
    assert "Two-step sign-in is now off for bob." in _post(admin, bob, "reset")
    assert not Passkey.objects.exists()
    assert not SecondFactor.objects.exists()
    event = AuditEvent.objects.get(action="user.second_step_reset")
    assert (event.actor, event.target) == ("ann", "bob")


def test_a_link_gives_a_new_password_once(admin: Client, bob: User) -> None:
    text = _post(admin, bob, "password")
    found = re.search(r"http://localhost(/sign-in/reset/[^<]+)<", text)
    assert found
    fresh = {
        "new_password1": "another long one 7",
        "new_password2": "another long one 7",
    }
    device = Client(HTTP_HOST="localhost")
    assert device.post(found[1], fresh).status_code == 302
    bob.refresh_from_db()
    assert bob.check_password("another long one 7")
    assert device.get(found[1]).status_code == 404
    assert AuditEvent.objects.filter(action="user.password_link_made").count() == 1


@pytest.mark.parametrize("action", ["deactivate", "reset", "password"])
def test_nobody_does_it_to_themselves(admin: Client, ann: User, action: str) -> None:
    assert "This is your own account." in _post(admin, ann, action)
    ann.refresh_from_db()
    assert ann.is_active


def test_nobody_lowers_their_own_role(admin: Client, ann: User) -> None:
    given = {"role": "viewer", "email": "ann@example.com"}
    assert "This is your own account." in _post(admin, ann, "save", **given)
    ann.refresh_from_db()
    assert ann.is_superuser


def test_an_unknown_account_or_action_is_said(admin: Client, bob: User) -> None:
    assert "Choose what to do." in _post(admin, bob, "promote")
    bob.delete()
    answer = admin.post(f"{PAGE}99999/", {"action": "deactivate"}, follow=True)
    assert "There is no such account." in answer.content.decode()
