"""Secrets of a source, encrypted at rest.

Names in use: `username` and `token` (https), `hook_secret` (push hooks).
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from devrag.audit.api import record_event
from devrag.core.encryption import (
    UnknownEncryptionKey,
    decrypt_secrets,
    encrypt_secrets,
)
from devrag.core.errors import ConfigurationError
from devrag.core.texts import gettext
from devrag.sources.models import Source

HOOK_SECRET = "hook_secret"  # noqa: S105 - its name


def load_credentials(source: Source) -> dict[str, str]:
    """Return name → secret; ConfigurationError when no key opens them."""
    if not source.credentials:
        return {}
    try:
        return decrypt_secrets(source.credentials)
    except UnknownEncryptionKey as error:
        raise ConfigurationError(
            gettext(
                "The credentials of '%(source)s' were encrypted with a key that is "
                "not in CREDENTIALS_KEYS. Add the old key at the end of the list, or "
                "enter the credentials again."
            )
            % {"source": source.name}
        ) from error


@transaction.atomic
def store_credentials(*, source: Source, changes: Mapping[str, str]) -> None:
    """Add, replace or, with an empty value, remove secrets of a source."""
    locked = Source.objects.select_for_update(no_key=True).get(pk=source.pk)
    kept = {k: v for k, v in (load_credentials(locked) | dict(changes)).items() if v}
    source.credentials = encrypt_secrets(kept) if kept else None
    source.save(update_fields=["credentials", "updated_at"])
    if HOOK_SECRET in changes:
        record_event("source.hook_secret_renewed", source=source)
    elif changes:
        is_kept = bool(changes.get("token"))
        details = {"isRemoved": not is_kept}
        record_event("source.credentials_changed", source=source, details=details)
