"""Secrets of sources: encrypted in the database, readable after rotation."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.core.errors import ConfigurationError
from devrag.core.reencryption import reencrypt_all
from devrag.products.models import Product
from devrag.sources.credentials import (
    load_credentials,
    store_credentials,
)
from devrag.sources.models import Source

pytestmark = pytest.mark.django_db
_SECRET = "hunter2-hunter2"


@pytest.fixture
def source() -> Source:
    product = Product.objects.create(name="shop")
    return Source.objects.create(product=product, name="shop", source_type="git")


def test_what_was_stored_comes_back(source: Source) -> None:
    store_credentials(source=source, changes={"username": "ci", "token": _SECRET})
    assert load_credentials(source) == {"username": "ci", "token": _SECRET}


def test_the_database_never_holds_the_plain_secret(source: Source) -> None:
    store_credentials(source=source, changes={"token": _SECRET})
    source.refresh_from_db()
    assert source.credentials is not None
    assert _SECRET.encode() not in bytes(source.credentials)


def test_an_empty_value_removes_a_secret(source: Source) -> None:
    store_credentials(source=source, changes={"token": _SECRET})
    store_credentials(source=source, changes={"token": ""})
    source.refresh_from_db()
    assert source.credentials is None


def test_a_new_key_in_front_still_reads_and_rotation_drops_the_old(
    source: Source, settings: Any
) -> None:
    settings.CREDENTIALS_KEYS = ["old" * 12]
    store_credentials(source=source, changes={"token": _SECRET})
    settings.CREDENTIALS_KEYS = ["new" * 12, "old" * 12]
    assert load_credentials(source) == {"token": _SECRET}
    assert reencrypt_all() == 1
    settings.CREDENTIALS_KEYS = ["new" * 12]
    source.refresh_from_db()
    assert load_credentials(source) == {"token": _SECRET}


def test_a_lost_key_says_what_to_do(source: Source, settings: Any) -> None:
    settings.CREDENTIALS_KEYS = ["old" * 12]
    store_credentials(source=source, changes={"token": _SECRET})
    settings.CREDENTIALS_KEYS = ["new" * 12]
    with pytest.raises(ConfigurationError, match="Add the old key"):
        load_credentials(source)


def test_without_keys_nothing_is_kept_in_the_clear(
    source: Source, settings: Any
) -> None:
    settings.CREDENTIALS_KEYS = []
    with pytest.raises(ConfigurationError, match="CREDENTIALS_KEYS is not set"):
        store_credentials(source=source, changes={"token": _SECRET})
