"""Encrypt everything that is stored encrypted again, with the first key.

What is encrypted is found by itself: any binary column of any model whose values are
Fernet tokens. A column that is added later is included without being listed anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db.models import BinaryField, Model

from devrag.core.encryption import KeyUse, encrypt_again, key_of

# How each Fernet token begins: base64 of its version, 0x80, and of the time's zeros.
_TOKEN = b"gAAAA"
_PORTION = 500


@dataclass(frozen=True, slots=True)
class EncryptedValue:
    """A value that is stored encrypted, and what opens it."""

    model: type[Model]
    column: str
    pk: Any
    stored: bytes
    use: KeyUse

    def __str__(self) -> str:
        return f"{self.model._meta.verbose_name} {self.pk} ({self.column})"


def encrypted_columns() -> Iterator[tuple[type[Model], str]]:
    """Yield each binary column of each table."""
    for model in apps.get_models():
        if model._meta.proxy or not model._meta.managed:
            continue
        for field in model._meta.local_fields:
            if isinstance(field, BinaryField):
                yield model, field.attname


def list_encrypted() -> Iterator[EncryptedValue]:
    """Yield everything that is stored encrypted, with the key that opens it."""
    for model, column in encrypted_columns():
        rows = model._base_manager.exclude(**{column: None}).order_by("pk")
        pairs = rows.values_list("pk", column).iterator(chunk_size=_PORTION)
        for pk, value in pairs:
            stored = bytes(value)
            if stored.startswith(_TOKEN):
                yield EncryptedValue(model, column, pk, stored, key_of(stored))


@dataclass(frozen=True, slots=True)
class KeyUses:
    """How many values the first key opens, another one, and none."""

    first: int = 0
    old: int = 0
    unknown: tuple[str, ...] = ()


def count_uses() -> KeyUses:
    """Return which keys open what is stored."""
    first, old, unknown = 0, 0, []
    for value in list_encrypted():
        first += value.use is KeyUse.FIRST
        old += value.use is KeyUse.OLD
        if value.use is KeyUse.UNKNOWN:
            unknown.append(str(value))
    return KeyUses(first, old, tuple(unknown))


def reencrypt_all() -> int:
    """Encrypt with the first key what another opens; return how many values.

    Each value is replaced only if it is still the same, so that nothing is lost that
    another process stores meanwhile. When it is cut off, the next call goes on.
    """
    count = 0
    for value in list_encrypted():
        if value.use is KeyUse.OLD:
            same = value.model._base_manager.filter(
                pk=value.pk, **{value.column: value.stored}
            )
            count += same.update(**{value.column: encrypt_again(value.stored)})
    return count
