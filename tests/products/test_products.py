"""Names of products and who may add one."""

from __future__ import annotations

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from devrag.core.errors import InvalidInput, PermissionDenied
from devrag.core.principal import ANONYMOUS, SYSTEM, Principal, Role
from devrag.products.models import Membership, Product
from devrag.products.services import check_product_name, create_product
from tests.people import People

_DOTS = ["", ".", "..", "../a", "a..b", ".a", "a."]


@pytest.mark.parametrize("name", ["a", "shop", "my.shop_2-x", "a" * 64])
def test_a_plain_name_is_taken(name: str) -> None:
    assert check_product_name(name) == name


@pytest.mark.parametrize(
    "name",
    [*_DOTS, "a/b", "-a", "A", "a b", "a\n", "a\0", "茶", "a" * 65, "a\\b", "a%2f"],
)
def test_a_name_that_is_no_folder_is_refused_with_a_better_one(name: str) -> None:
    with pytest.raises(InvalidInput, match="for example '"):
        check_product_name(name)


@given(st.text())
def test_what_is_suggested_would_be_taken(name: str) -> None:
    try:
        check_product_name(name)
    except InvalidInput as error:
        suggestion = error.message.rpartition("for example '")[2].removesuffix("'.")
        assert check_product_name(suggestion) == suggestion


@pytest.mark.django_db
@pytest.mark.parametrize(
    "caller",
    [
        ANONYMOUS,
        Principal("viewer", Role.VIEWER),
        Principal("limited", Role.ADMIN, product_ids=frozenset({1})),
    ],
)
def test_who_may_not_add_products_adds_none(caller: Principal) -> None:
    with pytest.raises(PermissionDenied):
        create_product(name="new", principal=caller)
    assert not Product.objects.exists()


def test_who_adds_a_product_maintains_it(people: People) -> None:
    caller = Principal("staff", Role.MAINTAINER, user_id=people.charlie.pk)
    product = create_product(name="new", principal=caller)
    assert product in Product.objects.maintained_by(caller)


@pytest.mark.django_db
def test_the_command_line_adds_no_member() -> None:
    create_product(name="new", principal=SYSTEM)
    assert not Membership.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "settings"), [("ja", {"language": "ja"}), ("en", {}), ("fr", {})]
)
def test_the_wiki_is_in_the_language_of_the_request(
    language: str, settings: dict[str, str]
) -> None:
    with translation.override(language):
        assert create_product(name="new", principal=SYSTEM).wiki_settings == settings
