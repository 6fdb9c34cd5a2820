"""Secrets of a source, encrypted at rest: MultiFernet, so that keys can be rotated.

Names in use: `username` and `token` (https), `hook_secret` (push hooks).
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext

from devrag.core.errors import ConfigurationError
from devrag.products.models import WeeklyDigest
from devrag.sources.models import Source


def load_credentials(source: Source) -> dict[str, str]:
    """Return name → secret; ConfigurationError when no key opens them."""
    if not source.credentials:
        return {}
    try:
        plain = _cipher().decrypt(bytes(source.credentials))
    except InvalidToken as error:
        raise ConfigurationError(
            gettext(
                "The credentials of '%(source)s' were encrypted with a key that "
                "is not in CREDENTIALS_KEYS. Add the old key at the end of the "
                "list, or give the credentials again."
            )
            % {"source": source.name}
        ) from error
    found: dict[str, str] = json.loads(plain)
    return found


@transaction.atomic
def store_credentials(*, source: Source, changes: Mapping[str, str]) -> None:
    """Add, replace or, with an empty value, remove secrets of a source."""
    locked = Source.objects.select_for_update(no_key=True).get(pk=source.pk)
    kept = {k: v for k, v in (load_credentials(locked) | dict(changes)).items() if v}
    source.credentials = encrypt_secrets(kept) if kept else None
    source.save(update_fields=["credentials", "updated_at"])


def encrypt_secrets(secrets: Mapping[str, str]) -> bytes:
    """Return secrets as they may be stored. Raises ConfigurationError without a key."""
    return _cipher().encrypt(json.dumps(dict(secrets)).encode())


def decrypt_secrets(stored: bytes | memoryview) -> dict[str, str]:
    """Return secrets that were encrypted; ConfigurationError when no key opens them."""
    try:
        found: dict[str, str] = json.loads(_cipher().decrypt(bytes(stored)))
    except InvalidToken as error:
        raise ConfigurationError(
            gettext(
                "What is stored was encrypted with a key that is not in "
                "CREDENTIALS_KEYS. Add the old key at the end of the list, or enter "
                "it again."
            )
        ) from error
    return found


@transaction.atomic
def rotate_credentials() -> int:
    """Encrypt everything anew with the first key; return how many sources had some."""
    for digest in WeeklyDigest.objects.select_for_update().exclude(target=None):
        if digest.target is not None:
            digest.target = encrypt_secrets(decrypt_secrets(digest.target))
            digest.save(update_fields=["target"])
    locked = Source.objects.select_for_update(no_key=True).exclude(credentials=None)
    for source in locked:
        store_credentials(source=source, changes={})
    return len(locked)


def _cipher() -> MultiFernet:
    if not settings.CREDENTIALS_KEYS:
        raise ConfigurationError(
            gettext(
                "Credentials cannot be kept: CREDENTIALS_KEYS is not set. Give it"
                " one long random text (32 characters or more); to rotate, put a "
                "new one in front."
            )
        )
    return MultiFernet([Fernet(_key(text)) for text in settings.CREDENTIALS_KEYS])


def _key(text: str) -> bytes:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())
