"""Secrets encrypted at rest: MultiFernet, so that CREDENTIALS_KEYS can be rotated.

Keys that are in a file are read from it each time: a process that runs while they are
rotated reads and writes with the new one at once.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from enum import Enum

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from devrag.core.errors import ConfigurationError
from devrag.core.key_files import read_keys
from devrag.core.texts import gettext


class UnknownEncryptionKey(ConfigurationError):
    """What is stored was encrypted with a key that is not known any more."""


class KeyUse(Enum):
    """Which key opens a value: the one that writes, another one, or none."""

    FIRST = "first"
    OLD = "old"
    UNKNOWN = "unknown"


def known_keys() -> Sequence[str]:
    """Return the keys, the one that writes first."""
    path = settings.CREDENTIALS_KEYS_FILE
    if path is not None and path.exists():
        return read_keys(path)
    keys: list[str] = settings.CREDENTIALS_KEYS
    return keys


def key_of(stored: bytes) -> KeyUse:
    """Return which key opens a value."""
    for position, text in enumerate(known_keys()):
        try:
            Fernet(_key(text)).decrypt(stored)
        except InvalidToken:
            continue
        return KeyUse.OLD if position else KeyUse.FIRST
    return KeyUse.UNKNOWN


def encrypt_again(stored: bytes) -> bytes:
    """Return the same secrets, encrypted with the first key."""
    return _cipher().rotate(stored)


def encrypt_secrets(secrets: Mapping[str, str]) -> bytes:
    """Return secrets as they may be stored. Raises ConfigurationError without a key."""
    return _cipher().encrypt(json.dumps(dict(secrets)).encode())


def decrypt_secrets(stored: bytes | memoryview) -> dict[str, str]:
    """Return what was encrypted; UnknownEncryptionKey when no key opens it."""
    try:
        found: dict[str, str] = json.loads(_cipher().decrypt(bytes(stored)))
    except InvalidToken as error:
        raise UnknownEncryptionKey(
            gettext(
                "The stored value was encrypted with a key that is not in "
                "CREDENTIALS_KEYS. Add the old key at the end of the list, or enter "
                "the value again."
            )
        ) from error
    return found


def _cipher() -> MultiFernet:
    keys = known_keys()
    if not keys:
        raise ConfigurationError(
            gettext(
                "Credentials cannot be stored because CREDENTIALS_KEYS is not set. "
                "Set it to one long random text (at least 32 characters); to rotate "
                "keys, put a new one first."
            )
        )
    return MultiFernet([Fernet(_key(text)) for text in keys])


def _key(text: str) -> bytes:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())
