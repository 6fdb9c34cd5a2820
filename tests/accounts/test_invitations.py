"""Links that let one person in, once, as long as their maker may give the role."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from devrag.accounts.invitations import (
    accept_with_password,
    create_invitation,
    list_invitations,
    revoke_invitation,
)
from devrag.accounts.models import Invitation
from devrag.audit.models import AuditEvent
from devrag.core.errors import DevragError, InvalidInput, NotFound, PermissionDenied
from devrag.products.models import Membership
from tests.people import People, principal

PASSWORD = "wooden table staple"
FORM = {"name": "dora", "new_password1": PASSWORD, "new_password2": PASSWORD}
OVER = "This invitation was used, revoked or has expired."


@pytest.fixture
def root(db: None) -> User:
    return User.objects.create_superuser("root")


@pytest.fixture
def browser() -> Client:
    return Client(HTTP_HOST="localhost")


def invite(user: User, **given: Any) -> str:
    """Return the path of a new link."""
    given = {"role": "viewer", **given}
    _, secret = create_invitation(principal=principal(user), **given)
    return f"/invitation/{secret}/"


def text(answer: HttpResponse) -> str:
    return answer.content.decode()


def test_a_maintainers_link_makes_a_member(people: People, browser: Client) -> None:
    link = invite(people.alice, product_name="teahouse", role="maintainer")
    page = text(browser.get(link))
    assert "alice invites you to teahouse as maintainer." in page
    answer = browser.post(link, FORM)
    assert answer["Location"] == "/p/teahouse/"
    dora = User.objects.get(username="dora")
    assert dora.check_password(PASSWORD)
    assert Membership.objects.get(user=dora).role == "maintainer"
    assert browser.get("/settings/account/").status_code == 200


def test_a_link_is_of_use_once(people: People, browser: Client) -> None:
    link = invite(people.alice, product_name="teahouse")
    browser.post(link, FORM)
    other = Client(HTTP_HOST="localhost")
    for answer in (other.get(link), other.post(link, {**FORM, "name": "eve"})):
        assert answer.status_code == 404
        assert OVER in text(answer)
    assert not User.objects.filter(username="eve").exists()


def test_links_and_who_they_let_in_are_recorded(
    people: People, browser: Client
) -> None:
    browser.post(invite(people.alice, product_name="teahouse"), FORM)
    other, _ = create_invitation(
        principal=principal(people.alice), role="maintainer", product_name="teahouse"
    )
    revoke_invitation(principal=principal(people.alice), invitation_id=other.pk)
    events = AuditEvent.objects.order_by("pk")
    told = [
        (each.action, each.user_name, each.product_name, each.details.get("role"))
        for each in events.filter(action__startswith="invitation.")
    ]
    assert told == [
        ("invitation.created", "alice", "teahouse", "viewer"),
        ("invitation.used", "dora", "teahouse", "viewer"),
        ("invitation.created", "alice", "teahouse", "maintainer"),
        ("invitation.revoked", "alice", "teahouse", "maintainer"),
    ]
    member = events.get(action="member.added", target="dora")
    assert member.details == {"role": "viewer"}
    assert (member.actor, member.actor_kind) == ("dora", "user")
    made = events.get(action="user.created", target="dora")
    assert made.actor_kind == "anonymous"


@pytest.mark.django_db(transaction=True)
def test_two_who_use_a_link_at_once(transactional_db: None) -> None:
    user = User.objects.create_superuser("root")
    secret = invite(user).split("/")[2]

    def enter(number: int) -> bool:
        try:
            accept_with_password(secret, name=f"user{number}", password=PASSWORD)
        except NotFound:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(enter, range(4))) == [False, False, False, True]
    assert User.objects.count() == 2


@pytest.mark.parametrize(
    "change",
    [
        {"expires_at": timezone.now() - timedelta(seconds=1)},
        {"is_revoked": True},
        {"created_by": None},
    ],
)
def test_links_end(root: User, browser: Client, change: dict[str, Any]) -> None:
    link = invite(root)
    Invitation.objects.update(**change)
    assert browser.get(link).status_code == 404
    assert browser.post(link, FORM).status_code == 404


def test_a_link_is_worth_what_its_maker_may_give(
    people: People, browser: Client
) -> None:
    link = invite(people.alice, product_name="teahouse")
    Membership.objects.filter(user=people.alice).update(role="viewer")
    assert browser.post(link, FORM).status_code == 404
    Membership.objects.filter(user=people.alice).update(role="maintainer")
    User.objects.filter(pk=people.alice.pk).update(is_active=False)
    assert browser.post(link, FORM).status_code == 404


def test_only_the_hash_of_a_link_is_stored(root: User) -> None:
    secret = invite(root).split("/")[2]
    assert secret not in str(Invitation.objects.values().get())


@pytest.mark.parametrize(
    ("who", "given", "error"),
    [
        ("alice", {}, PermissionDenied),
        ("alice", {"role": "administrator"}, PermissionDenied),
        ("alice", {"product_name": "teahouse", "role": "creator"}, InvalidInput),
        ("alice", {"product_name": "teahouse", "role": "owner"}, InvalidInput),
        ("alice", {"product_name": "teahouse", "days": 91}, InvalidInput),
        ("alice", {"product_name": "market"}, PermissionDenied),
        ("bob", {"product_name": "teahouse"}, PermissionDenied),
        ("charlie", {"product_name": "teahouse"}, NotFound),
    ],
)
def test_who_may_not_invite(
    people: People, who: str, given: dict[str, Any], error: type[DevragError]
) -> None:
    with pytest.raises(error):
        invite(getattr(people, who), **given)


def test_each_sees_and_revokes_what_is_theirs(people: People, root: User) -> None:
    invite(people.alice, product_name="teahouse")
    invite(root)
    assert list_invitations(principal(root)).count() == 2
    (own,) = list_invitations(principal(people.alice))
    assert not list_invitations(principal(people.charlie))
    with pytest.raises(NotFound):
        revoke_invitation(principal=principal(people.bob), invitation_id=own.pk)
    revoke_invitation(principal=principal(people.alice), invitation_id=own.pk)
    with pytest.raises(NotFound):
        revoke_invitation(principal=principal(people.alice), invitation_id=own.pk)


@pytest.mark.parametrize(
    ("role", "is_staff", "is_superuser"),
    [
        ("viewer", False, False),
        ("creator", True, False),
        ("administrator", True, True),
    ],
)
def test_roles_of_the_installation(
    root: User, browser: Client, role: str, is_staff: bool, is_superuser: bool
) -> None:
    browser.post(invite(root, role=role), FORM)
    dora = User.objects.get(username="dora")
    assert (dora.is_staff, dora.is_superuser) == (is_staff, is_superuser)


def test_somebody_who_has_an_account_gets_the_role(
    people: People, browser: Client
) -> None:
    browser.force_login(people.bob)
    link = invite(people.alice, product_name="teahouse", role="maintainer")
    assert "Accept as bob" in text(browser.get(link))
    assert Membership.objects.get(user=people.bob).role == "viewer"
    assert browser.post(link).status_code == 302
    assert Membership.objects.get(user=people.bob).role == "maintainer"
    assert Invitation.objects.get().used_by == people.bob


def test_a_link_lowers_no_role(people: People, browser: Client) -> None:
    browser.force_login(people.alice)
    browser.post(invite(people.alice, product_name="teahouse"))
    assert Membership.objects.get(user=people.alice).role == "maintainer"


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"name": "ROOT"}, "There is a user with this name."),
        ({"name": "system"}, "There is a user with this name."),
        ({"name": "a b"}, "Enter a valid username."),
        ({"name": ""}, "This field is required."),
        ({"new_password2": "another"}, "The two passwords do not match."),
        ({"new_password1": "short", "new_password2": "short"}, "too short"),
    ],
)
def test_what_cannot_be_taken_is_explained_and_the_link_stays(
    root: User, browser: Client, changes: dict[str, str], problem: str
) -> None:
    link = invite(root)
    answer = browser.post(link, {**FORM, **changes})
    assert answer.status_code == 422
    assert problem in text(answer)
    assert browser.post(link, FORM).status_code == 302


def test_where_passwords_are_off_people_sign_in(
    root: User, browser: Client, settings: Settings
) -> None:
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID = "https://id.example", "c"
    settings.OIDC_NAME, settings.OIDC_ONLY = "Example ID", True
    link = invite(root)
    page = text(browser.get(link))
    assert "Sign in with Example ID" in page
    assert 'type="password"' not in page
    assert browser.post(link, FORM).status_code == 403


def test_the_page_makes_and_revokes_links(people: People, browser: Client) -> None:
    browser.force_login(people.alice)
    given = {"product_name": "teahouse", "role": "viewer", "days": 1, "note": "Dora"}
    page = text(browser.post("/settings/invitations/", given))
    link = page.partition('id="dr-link" tabindex="0">')[2].partition("<")[0]
    assert link.startswith("http://localhost/invitation/")
    assert link not in text(browser.get("/settings/invitations/"))
    made = Invitation.objects.get()
    assert (made.note, made.created_by) == ("Dora", people.alice)
    browser.post(f"/settings/invitations/{made.pk}/revoke/")
    assert Client(HTTP_HOST="localhost").get(link).status_code == 404
    browser.force_login(people.charlie)
    assert browser.get("/settings/invitations/").status_code == 403
