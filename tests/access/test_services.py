"""Bearer tokens: kept as hashes, limited by scopes, products and their owner."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from devrag.access.models import ApiToken
from devrag.access.services import create_token, principal_of_token, revoke_token
from devrag.core.errors import Conflict, InvalidInput, NotFound, PermissionDenied
from devrag.core.hashing import sha256_hex
from devrag.core.principal import Principal, Role
from devrag.products.models import Product
from devrag.products.services import create_product
from devrag.use_cases.index import request_index
from tests.people import People

pytestmark = pytest.mark.django_db


def token(
    *scopes: str, user: User | None = None, products: tuple[Product, ...] = ()
) -> Principal:
    """Return the principal of a new token."""
    _, secret = create_token(name="ci", scopes=scopes, user=user, products=products)
    found = principal_of_token(secret)
    assert found is not None
    return found


def visible(principal: Principal) -> set[str]:
    return {row.name for row in Product.objects.visible_to(principal)}


def maintained(principal: Principal) -> set[str]:
    return {row.name for row in Product.objects.maintained_by(principal)}


def test_the_secret_is_nowhere_in_the_table() -> None:
    _, secret = create_token(name="ci", scopes=["read"])
    with connection.cursor() as cursor:
        cursor.execute("SELECT access_apitoken::text FROM access_apitoken")
        row = cursor.fetchone()[0]
    assert secret not in row
    assert sha256_hex(secret) in row


def test_the_prefix_tells_tokens_apart_in_lists() -> None:
    made, secret = create_token(name="ci", scopes=["read"])
    assert secret.startswith(made.prefix)
    assert len(secret) - len(made.prefix) >= 32


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ci", "--days", "0"), "1 to 3,650"),
        (("ci", "--days", "-1"), "1 to 3,650"),
        (("ci", "--days", "9999999999"), "1 to 3,650"),
        (("x" * 101,), "at most 100"),
    ],
)
def test_a_token_that_cannot_be_is_not_made(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        call_command("token", "create", *words)
    assert not ApiToken.objects.exists()


def test_the_list_says_what_ended() -> None:
    for name, days in (("old", -1), ("new", 1)):
        at = timezone.now() + timedelta(days=days)
        create_token(name=name, scopes=["read", "index"], expires_at=at)
    told = io.StringIO()
    call_command("token", "list", stdout=told)
    ends = [line.split("  ", 1)[1] for line in told.getvalue().splitlines()]
    assert ends == ["new  index,read", "old  expired"]


def test_two_tokens_differ() -> None:
    assert (
        create_token(name="a", scopes=["read"])[1]
        != (create_token(name="a", scopes=["read"])[1])
    )


@pytest.mark.parametrize("secret", ["", "devrag_", "devrag_unknown", "\ud800", "\0"])
def test_an_unknown_secret_is_nobody(secret: str) -> None:
    create_token(name="ci", scopes=["read"])
    assert principal_of_token(secret) is None


def test_the_prefix_alone_is_nobody() -> None:
    made, _ = create_token(name="ci", scopes=["read"])
    assert principal_of_token(made.prefix) is None


def test_the_stored_hash_is_nobody() -> None:
    made, _ = create_token(name="ci", scopes=["read"])
    assert principal_of_token(made.sha256) is None


def test_an_expired_token_is_nobody() -> None:
    past = timezone.now() - timedelta(seconds=1)
    _, secret = create_token(name="ci", scopes=["read"], expires_at=past)
    assert principal_of_token(secret) is None


def test_a_token_works_until_it_expires() -> None:
    soon = timezone.now() + timedelta(minutes=1)
    _, secret = create_token(name="ci", scopes=["read"], expires_at=soon)
    assert principal_of_token(secret) is not None


def test_a_revoked_token_is_nobody() -> None:
    made, secret = create_token(name="ci", scopes=["read"])
    assert revoke_token(prefix=made.prefix) == made
    assert principal_of_token(secret) is None


def test_revoking_twice_finds_nothing_the_second_time() -> None:
    made, _ = create_token(name="ci", scopes=["read"])
    revoke_token(prefix=made.prefix)
    with pytest.raises(NotFound, match="No active token begins"):
        revoke_token(prefix=made.prefix)


@pytest.mark.parametrize("ending", ["", "…", "..."])
def test_a_token_is_revoked_by_the_prefix_that_the_list_prints(ending: str) -> None:
    made, secret = create_token(name="ci", scopes=["read"])
    create_token(name="other", scopes=["read"])
    listed = io.StringIO()
    call_command("token", "list", stdout=listed)
    assert f"{made.prefix}…  ci" in listed.getvalue()
    done = io.StringIO()
    call_command("token", "revoke", made.prefix + ending, stdout=done)
    assert done.getvalue() == f"Revoked ci ({made.prefix}…).\n"
    assert principal_of_token(secret) is None
    assert ApiToken.objects.filter(is_revoked=False).count() == 1


def test_a_prefix_of_several_tokens_revokes_none_of_them() -> None:
    for name in ("one", "two"):
        create_token(name=name, scopes=["read"])
    with pytest.raises(
        Conflict, match=r"Several .*devrag_….*: \w+ \(devrag_.*Enter more"
    ):
        call_command("token", "revoke", "devrag_…")
    assert not ApiToken.objects.filter(is_revoked=True).exists()


@pytest.mark.parametrize("given", ["", "…", "...", " "])
def test_no_prefix_revokes_nothing(given: str) -> None:
    create_token(name="one", scopes=["read"])
    with pytest.raises((InvalidInput, NotFound)):
        call_command("token", "revoke", given)
    assert not ApiToken.objects.filter(is_revoked=True).exists()


def test_use_is_noted() -> None:
    made, secret = create_token(name="ci", scopes=["read"])
    principal_of_token(secret)
    made.refresh_from_db()
    assert made.last_used_at is not None


def test_a_refused_use_is_not_noted() -> None:
    made, secret = create_token(name="ci", scopes=["read"])
    revoke_token(prefix=made.prefix)
    principal_of_token(secret)
    made.refresh_from_db()
    assert made.last_used_at is None


@pytest.mark.parametrize("scopes", [[], ["write"], ["read", "root"]])
def test_unknown_scopes_are_refused(scopes: list[str]) -> None:
    with pytest.raises(InvalidInput, match="Unknown scope"):
        create_token(name="ci", scopes=scopes)


@pytest.mark.parametrize(
    ("scope", "allowed"),
    [
        ("read", {"read"}),
        ("index", {"read", "index"}),
        ("wiki", {"read", "wiki"}),
        ("admin", {"read", "index", "wiki", "admin"}),
    ],
)
def test_scopes_decide_what_a_token_may(scope: str, allowed: set[str]) -> None:
    made = token(scope)
    assert {name for name in ApiToken.Scope.values if made.may(name)} == allowed


def test_a_token_whose_scopes_were_emptied_may_nothing(people: People) -> None:
    _, secret = create_token(name="ci", scopes=["read"])
    ApiToken.objects.update(scopes=[])
    found = principal_of_token(secret)
    assert found is not None
    assert visible(found) == set()


def test_a_token_without_owner_reads_open_products(people: People) -> None:
    assert visible(token("read")) == {"market"}


def test_a_token_without_owner_reads_the_products_it_was_given(people: People) -> None:
    assert visible(token("read", products=(people.teahouse,))) == {"teahouse"}


def test_a_token_without_owner_indexes_only_the_products_it_was_given(
    people: People,
) -> None:
    assert maintained(token("index", products=(people.market,))) == {"market"}


def test_a_reading_token_maintains_nothing(people: People) -> None:
    assert maintained(token("read")) == set()


def test_an_admin_token_sees_everything(people: People) -> None:
    assert visible(token("admin")) == {"market", "teahouse"}


def test_product_limits_hold_for_an_admin_token_too(people: People) -> None:
    limited = token("admin", products=(people.market,))
    assert visible(limited) == maintained(limited) == {"market"}


def test_a_limited_token_adds_no_products(people: People) -> None:
    with pytest.raises(PermissionDenied):
        create_product(name="new", principal=token("admin", products=(people.market,)))


def test_product_limits_give_an_owner_nothing_more(people: People) -> None:
    limited = token("index", user=people.charlie, products=(people.teahouse,))
    assert visible(limited) == set()


def test_an_owners_token_reads_what_the_owner_reads(people: People) -> None:
    assert visible(token("read", user=people.bob)) == {"market", "teahouse"}


def test_an_owners_token_maintains_what_the_owner_maintains(people: People) -> None:
    assert maintained(token("index", user=people.alice)) == {"teahouse"}
    assert maintained(token("index", user=people.bob)) == set()


def test_an_admin_token_of_a_user_is_no_administrator(people: People) -> None:
    assert token("admin", user=people.alice).role < Role.ADMIN
    assert visible(token("admin", user=people.charlie)) == {"market"}


def test_a_users_token_adds_no_products_that_the_user_may_not_add(
    people: People,
) -> None:
    with pytest.raises(PermissionDenied):
        create_product(name="new", principal=token("index", user=people.charlie))


@pytest.fixture
def root(people: People) -> User:
    return User.objects.create_superuser("root")


def test_an_administrators_reading_token_reads_everything(root: User) -> None:
    # "All products the owner may see", as the token's form says.
    narrow = token("read", user=root)
    assert visible(narrow) == {"market", "teahouse"}
    assert maintained(narrow) == set()


def test_an_administrators_indexing_token_indexes_everything(root: User) -> None:
    narrow = token("index", user=root)
    assert maintained(narrow) == {"market", "teahouse"}
    assert not narrow.is_admin
    assert not narrow.may("wiki")


def test_product_limits_hold_for_an_administrators_narrow_token(
    root: User, people: People
) -> None:
    limited = token("index", user=root, products=(people.market,))
    assert visible(limited) == maintained(limited) == {"market"}


def test_who_is_no_administrator_any_more_has_no_wide_token(
    root: User, people: People
) -> None:
    _, secret = create_token(name="ci", scopes=["read"], user=root)
    User.objects.filter(pk=root.pk).update(is_superuser=False)
    found = principal_of_token(secret)
    assert found is not None
    assert visible(found) == {"market"}


def test_a_token_ends_with_its_owners_account(people: People) -> None:
    _, secret = create_token(name="ci", scopes=["read"], user=people.alice)
    User.objects.filter(pk=people.alice.pk).update(is_active=False)
    assert principal_of_token(secret) is None


def test_a_token_loses_what_its_owner_lost(people: People) -> None:
    _, secret = create_token(name="ci", scopes=["index"], user=people.alice)
    people.alice.memberships.all().delete()
    found = principal_of_token(secret)
    assert found is not None
    assert maintained(found) == set()


@pytest.mark.parametrize("name", ["bob", "charlie"])
def test_an_owner_who_does_not_maintain_cannot_index(people: People, name: str) -> None:
    owner = User.objects.get(username=name)
    with pytest.raises(PermissionDenied):
        request_index(principal=token("index", user=owner), source=people.source)


def test_a_maintainers_token_without_the_scope_cannot_index(people: People) -> None:
    with pytest.raises(PermissionDenied, match="scope 'index'"):
        request_index(principal=token("wiki", user=people.alice), source=people.source)


def test_a_maintainers_token_with_the_scope_can_index(people: People) -> None:
    asking = token("index", user=people.alice)
    job = request_index(principal=asking, source=people.source)
    (made,) = ApiToken.objects.all()
    assert job.requested_by == asking.name == f"token ci ({made.prefix}…)"


def test_a_token_whose_product_is_gone_reads_nothing(people: People) -> None:
    _, secret = create_token(name="ci", scopes=["index"], products=[people.teahouse])
    people.teahouse.delete()
    found = principal_of_token(secret)
    assert found is not None
    assert visible(found) == maintained(found) == set()
