"""Everything that is stored encrypted is found by itself and encrypted again."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.db.models import BinaryField

from devrag.core import reencryption
from devrag.core.encryption import (
    KeyUse,
    decrypt_secrets,
    encrypt_again,
    encrypt_secrets,
    key_of,
)
from devrag.core.reencryption import count_uses, list_encrypted, reencrypt_all
from devrag.products.models import Product
from devrag.sources.models import Source

pytestmark = pytest.mark.django_db
OLD, NEW = "old" * 12, "new" * 12


@pytest.fixture
def sources(settings: Any) -> list[Source]:
    settings.CREDENTIALS_KEYS = [OLD]
    product = Product.objects.create(name="shop")
    return [
        Source.objects.create(
            product=product,
            name=f"s{number}",
            source_type="git",
            credentials=encrypt_secrets({"token": str(number)}),
        )
        for number in range(5)
    ]


def tokens() -> list[str]:
    stored = Source.objects.order_by("name").values_list("credentials", flat=True)
    return [decrypt_secrets(value)["token"] for value in stored if value]


def test_values_of_every_binary_column_are_found(settings: Any) -> None:
    """Each of them gets a value, so that a new column is tried by itself."""
    settings.CREDENTIALS_KEYS = [OLD]
    columns = {
        (model, field.attname)
        for model in apps.get_models()
        for field in model._meta.local_fields
        if isinstance(field, BinaryField)
    }
    assert set(reencryption.encrypted_columns()) == columns
    names = {f"{model.__name__}.{column}" for model, column in columns}
    assert names >= {
        "Source.credentials",
        "LanguageModelSettings.key",
        "WeeklyDigest.target",
    }


def test_an_old_key_is_replaced_and_then_not_needed(
    sources: list[Source], settings: Any
) -> None:
    settings.CREDENTIALS_KEYS = [NEW, OLD]
    assert count_uses().old == 5
    assert reencrypt_all() == 5
    settings.CREDENTIALS_KEYS = [NEW]
    assert tokens() == ["0", "1", "2", "3", "4"]
    assert (count_uses().first, count_uses().old) == (5, 0)
    assert reencrypt_all() == 0


def test_what_is_cut_off_goes_on(
    sources: list[Source], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CREDENTIALS_KEYS = [NEW, OLD]
    left = iter(range(2))

    def end(stored: bytes) -> bytes:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return encrypt_again(stored)

    monkeypatch.setattr(reencryption, "encrypt_again", end)
    with pytest.raises(KeyboardInterrupt):
        reencrypt_all()
    monkeypatch.undo()
    assert (count_uses().first, count_uses().old) == (2, 3)
    assert tokens() == ["0", "1", "2", "3", "4"]
    assert reencrypt_all() == 3
    assert count_uses().old == 0


def test_what_is_stored_meanwhile_is_not_overwritten(
    sources: list[Source], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CREDENTIALS_KEYS = [NEW, OLD]

    def store_another(stored: bytes) -> bytes:
        again = encrypt_again(stored)
        fresh = encrypt_secrets({"token": "newer"})
        Source.objects.filter(credentials=stored).update(credentials=fresh)
        return again

    monkeypatch.setattr(reencryption, "encrypt_again", store_another)
    reencrypt_all()
    assert tokens() == ["newer"] * 5


def test_what_no_key_opens_is_named_and_left(
    sources: list[Source], settings: Any
) -> None:
    before = Source.objects.get(name="s0").credentials
    settings.CREDENTIALS_KEYS = [NEW]
    assert reencrypt_all() == 0
    uses = count_uses()
    assert (uses.first, uses.old, len(uses.unknown)) == (0, 0, 5)
    assert uses.unknown[0] == f"source {sources[0].pk} (credentials)"
    assert bytes(Source.objects.get(name="s0").credentials or b"") == bytes(
        before or b""
    )


def test_binary_values_that_are_no_secrets_are_left_alone(
    sources: list[Source],
) -> None:
    Source.objects.update(credentials=b"\x00\x01 a digest, not encrypted")
    assert list(list_encrypted()) == []


def test_a_value_tells_which_key_opens_it(settings: Any) -> None:
    settings.CREDENTIALS_KEYS = [OLD]
    stored = encrypt_secrets({"a": "b"})
    assert key_of(stored) is KeyUse.FIRST
    settings.CREDENTIALS_KEYS = [NEW, OLD]
    assert key_of(stored) is KeyUse.OLD
    settings.CREDENTIALS_KEYS = [NEW]
    assert key_of(stored) is KeyUse.UNKNOWN
