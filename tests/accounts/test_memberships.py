"""Roles follow the groups at each sign-in, and leave alone what people gave."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from devrag.audit.models import AuditEvent
from devrag.products.members import give_role
from devrag.products.models import Membership, Product
from tests.oidc_provider import OidcProvider

from .conftest import SignIn

GROUPS = {
    "admins": ["administrator"],
    "creators": ["creator"],
    "readers": ["shop:viewer", "docs:viewer"],
    "shop-team": ["shop:maintainer", "gone:viewer"],
    "everybody": [],
}


@pytest.fixture(autouse=True)
def shop(provider: OidcProvider, settings: Settings) -> Product:
    settings.OIDC_GROUPS = GROUPS
    Product.objects.create(name="docs", visibility="members")
    return Product.objects.create(name="shop", visibility="members")


@pytest.fixture
def enter(sign_in: SignIn) -> Any:
    """Sign in as a member of some groups; return the account."""

    def enter(*groups: Any, **claims: Any) -> User:
        answer = sign_in({"sub": "s", "groups": list(groups), **claims})
        assert answer.status_code == 302
        return User.objects.get()

    return enter


def roles() -> dict[str, str]:
    return dict(Membership.objects.values_list("product__name", "role"))


def test_groups_give_roles_the_higher_one_of_two(enter: Any) -> None:
    enter("readers", "shop-team", "unknown", 7, None)
    assert roles() == {"shop": "maintainer", "docs": "viewer"}


def test_groups_that_shrink_take_the_roles_with_them(enter: Any) -> None:
    enter("readers", "shop-team")
    enter("readers")
    assert roles() == {"shop": "viewer", "docs": "viewer"}
    enter()
    assert roles() == {}


def test_a_role_that_somebody_gave_comes_back(enter: Any, shop: Product) -> None:
    user = enter()
    Membership.objects.create(product=shop, user=user, role="viewer")
    enter("shop-team")
    assert roles() == {"shop": "maintainer"}
    enter("readers")
    assert roles() == {"shop": "viewer", "docs": "viewer"}
    enter()
    assert roles() == {"shop": "viewer"}


def test_groups_lower_no_role_that_somebody_gave(enter: Any, shop: Product) -> None:
    Membership.objects.create(product=shop, user=enter(), role="maintainer")
    enter("readers")
    assert roles()["shop"] == "maintainer"


def test_an_invitation_is_worth_its_role_once_the_group_is_gone(
    enter: Any, shop: Product
) -> None:
    user = enter("shop-team")
    give_role(product=shop, user=user, role="viewer")
    assert roles()["shop"] == "maintainer"
    enter()
    assert roles() == {"shop": "viewer"}
    enter("readers")
    give_role(product=shop, user=user, role="maintainer")
    enter()
    assert roles() == {"shop": "maintainer"}


def test_administrators_come_and_go_with_their_group(enter: Any) -> None:
    user = enter("admins")
    assert (user.is_superuser, user.is_staff) == (True, True)
    user = enter("creators")
    assert (user.is_superuser, user.is_staff) == (False, True)
    user = enter()
    assert (user.is_superuser, user.is_staff) == (False, False)


def test_a_local_administrator_stays_one(enter: Any) -> None:
    enter()
    User.objects.update(is_superuser=True, is_staff=True)
    enter("admins")
    user = enter()
    assert (user.is_superuser, user.is_staff) == (True, True)


def test_without_a_list_of_groups_nothing_is_left_of_them(
    enter: Any, settings: Settings
) -> None:
    enter("admins", "readers")
    settings.OIDC_GROUPS = {}
    assert not enter("admins", "readers").is_superuser
    assert roles() == {}


def test_one_group_may_be_a_text(enter: Any) -> None:
    enter(groups="readers")
    assert roles() == {"shop": "viewer", "docs": "viewer"}


def test_another_claim_may_have_the_groups(enter: Any, settings: Settings) -> None:
    settings.OIDC_GROUPS_CLAIM = "roles"
    enter(roles=["readers"])
    assert roles() == {"shop": "viewer", "docs": "viewer"}


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"groups": ["g"] * 5_001}, "too many groups"),
        ({"groups": {"a": 1}}, "not a list"),
        ({"groups": 1}, "not a list"),
        ({"_claim_names": {"groups": "src1"}}, "more groups than"),
    ],
)
def test_groups_that_are_not_whole_are_refused(
    enter: Any, sign_in: SignIn, claims: dict[str, Any], reason: str
) -> None:
    enter("readers")
    answer = sign_in({"sub": "s", **claims})
    assert answer.status_code == 502
    assert reason in answer.content.decode()
    assert roles() == {"shop": "viewer", "docs": "viewer"}


def test_a_known_group_may_be_required(
    provider: OidcProvider, sign_in: SignIn, settings: Settings
) -> None:
    settings.OIDC_REQUIRE_GROUP = True
    answer = sign_in({"sub": "s", "groups": ["others"]})
    assert answer.status_code == 403
    assert "in no group that may use this installation" in answer.content.decode()
    assert not User.objects.exists()
    assert sign_in({"sub": "s", "groups": ["everybody"]}).status_code == 302


def test_a_role_by_a_group_is_not_changed_here(enter: Any, shop: Product) -> None:
    enter("readers")
    member = Membership.objects.get(product=shop)
    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("root"))
    page = client.get("/p/shop/members/").content.decode()
    assert "viewer, by a group of the sign-in provider" in page
    for end in ("", "remove/"):
        path = f"/p/shop/members/{member.pk}/{end}"
        assert client.post(path, {"role": "maintainer"}).status_code == 409
    assert roles()["shop"] == "viewer"


def test_a_product_without_a_maintainer_is_left_to_administrators(
    enter: Any, shop: Product
) -> None:
    enter("shop-team")
    enter()
    assert not shop.memberships.exists()


def _recorded(action: str) -> list[tuple[str, str, object]]:
    rows = AuditEvent.objects.filter(action=action).order_by("pk")
    return [(row.product_name, row.target, row.details) for row in rows]


def test_the_audit_log_has_what_groups_change(enter: Any, shop: Product) -> None:
    user = enter("readers")
    name = user.get_username()
    assert sorted(_recorded("member.added"), key=str) == [
        ("docs", name, {"role": "viewer", "byGroup": True}),
        ("shop", name, {"role": "viewer", "byGroup": True}),
    ]
    enter("shop-team")
    changed = {"from": "viewer", "to": "maintainer"}
    assert _recorded("member.changed") == [
        ("shop", name, {"role": changed, "byGroup": True})
    ]
    assert _recorded("member.removed") == [
        ("docs", name, {"role": "viewer", "byGroup": True})
    ]
    event = AuditEvent.objects.filter(action="member.removed").get()
    assert (event.entry, event.address) == ("web", "127.0.0.1")


def test_the_audit_log_has_administrators_by_group(enter: Any) -> None:
    enter()
    enter("admins")
    enter()
    flags = [
        details["is_superuser"]
        for _, _, details in _recorded("user.changed")
        if isinstance(details, dict) and "is_superuser" in details
    ]
    assert flags == [{"from": False, "to": True}, {"from": True, "to": False}]


def test_a_sign_in_that_changes_nothing_records_no_role(enter: Any) -> None:
    enter("shop-team")
    before = AuditEvent.objects.filter(action__startswith="member").count()
    enter("shop-team")
    assert AuditEvent.objects.filter(action__startswith="member").count() == before
