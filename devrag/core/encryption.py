"""Secrets encrypted at rest: MultiFernet, so that CREDENTIALS_KEYS can be rotated."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from devrag.core.errors import ConfigurationError
from devrag.core.texts import gettext


class UnknownEncryptionKey(ConfigurationError):
    """What is stored was encrypted with a key that is not known any more."""


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
    if not settings.CREDENTIALS_KEYS:
        raise ConfigurationError(
            gettext(
                "Credentials cannot be stored because CREDENTIALS_KEYS is not set. "
                "Set it to one long random text (at least 32 characters); to rotate "
                "keys, put a new one first."
            )
        )
    return MultiFernet([Fernet(_key(text)) for text in settings.CREDENTIALS_KEYS])


def _key(text: str) -> bytes:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())
