"""Passkeys (WebAuthn): made while one is signed in, and sign-in with them alone.

A passkey is bound to the host name and unlocked by a fingerprint, face or PIN, so that
it stands for password and code together. The challenge that it signs is in a signed
text that the browser gives back, for five minutes, once.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    AuthenticatorData,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from devrag.accounts.errors import SignInRefused
from devrag.accounts.models import Passkey
from devrag.core.errors import Conflict, InvalidInput, NotFound
from devrag.core.hashing import sha256_hex

log = structlog.get_logger(__name__)
_SECONDS = 300
_MAKE, _ENTER = "devrag.accounts.passkeys.make", "devrag.accounts.passkeys.enter"
_MOST = 20
# What the library raises for answers that no browser gives.
_MALFORMED = (ValueError, TypeError, LookupError, AttributeError, struct.error)
_REQUIRED = UserVerificationRequirement.REQUIRED


def list_passkeys(user_id: int) -> list[Passkey]:
    """Return a user's passkeys, the oldest first. Queries: 1."""
    return list(Passkey.objects.filter(user_id=user_id))


def begin_passkey(user: User, host: str) -> tuple[dict[str, Any], str]:
    """Return what a browser makes a passkey with, and the state to give back."""
    present = list_passkeys(user.pk)
    if len(present) >= _MOST:
        raise Conflict(gettext("Remove a passkey first; 20 are the most."))
    person = PublicKeyCredentialUserEntity(
        id=f"devrag-{user.pk}".encode(),
        name=user.get_username(),
        display_name=user.get_full_name() or user.get_username(),
    )
    options, state = _server(host).register_begin(
        person,
        [_credential(each) for each in present],
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=_REQUIRED,
    )
    return dict(options), signing.dumps([user.pk, state], salt=_MAKE)


def finish_passkey(
    user: User, host: str, state: str, answer: Mapping[str, Any], name: str
) -> Passkey:
    """Store the passkey that a browser made. Raises InvalidInput."""
    user_id, begun = _resume(state, _MAKE)
    if user_id != user.pk:
        raise _expired()
    try:
        made = _server(host).register_complete(begun, answer)
        credential = _made_credential(made)
        with transaction.atomic():
            passkey: Passkey = Passkey.objects.create(
                user=user,
                name=name.strip()[:60] or gettext("Passkey"),
                credential_id=credential.credential_id,
                data=bytes(credential),
                sign_count=made.counter,
            )
    except (*_MALFORMED, IntegrityError) as error:
        raise InvalidInput(
            gettext("The passkey could not be stored. Start again.")
        ) from error
    log.info("passkey_added", user_name=user.get_username())
    return passkey


def remove_passkey(user_id: int, passkey_id: int) -> None:
    """Remove a user's passkey. Raises NotFound for those of others."""
    found = Passkey.objects.filter(user_id=user_id, pk=passkey_id)
    if not found.delete()[0]:
        raise NotFound(gettext("This passkey was removed already. Reload the page."))
    log.info("passkey_removed", user_id=user_id)


def begin_sign_in(host: str) -> tuple[dict[str, Any], str]:
    """Return what a browser signs in with, and the state to give back."""
    options, state = _server(host).authenticate_begin(user_verification=_REQUIRED)
    return dict(options), signing.dumps([0, state], salt=_ENTER)


def finish_sign_in(host: str, state: str, answer: Mapping[str, Any]) -> User:
    """Return whose passkey signed. Raises SignInRefused with the way out."""
    _, begun = _resume(state, _ENTER)
    try:
        response = AuthenticationResponse.from_dict(answer)
        with transaction.atomic():
            passkey = _find(response.raw_id)
            _server(host).authenticate_complete(begun, [_credential(passkey)], response)
            counter = response.response.authenticator_data.counter
            return _note_use(passkey, counter)
    except _MALFORMED as error:
        log.warning("passkey_refused", reason=type(error).__name__)
        raise _refused() from error


def _made_credential(made: AuthenticatorData) -> AttestedCredentialData:
    if made.credential_data is None:
        raise ValueError("It has no credential.")
    return made.credential_data


def _find(credential_id: bytes) -> Passkey:
    rows = Passkey.objects.select_for_update(of=("self",)).select_related("user")
    passkey = rows.filter(credential_id=credential_id).first()
    if passkey is None or not passkey.user.is_active:
        raise _refused()
    if settings.OIDC_ONLY and not passkey.user.is_superuser:
        raise SignInRefused(
            gettext("Only local administrators sign in with a passkey here.")
        )
    return passkey


def _note_use(passkey: Passkey, counter: int) -> User:
    """Refuse a counter that does not go on: another device has the same key."""
    if (counter or passkey.sign_count) and counter <= passkey.sign_count:
        log.warning("passkey_copied", user_name=passkey.user.get_username())
        raise _refused()
    passkey.sign_count, passkey.last_used_at = counter, timezone.now()
    passkey.save(update_fields=["sign_count", "last_used_at"])
    return passkey.user


def _resume(state: str, salt: str) -> tuple[int, Any]:
    try:
        user_id, begun = signing.loads(state, salt=salt, max_age=_SECONDS)
    except (signing.BadSignature, TypeError, ValueError):
        raise _expired() from None
    if not cache.add(f"passkey:{sha256_hex(state)}", True, _SECONDS):
        raise _expired()
    return user_id, begun


def _server(host: str) -> Fido2Server:
    """Return the checks for a host; its origin is https, or http on localhost."""
    name = host.rpartition(":")[0] if ":" in host else host
    return Fido2Server(PublicKeyCredentialRpEntity(id=name, name="devrag"))


def _credential(passkey: Passkey) -> AttestedCredentialData:
    return AttestedCredentialData(bytes(passkey.data))


def _refused() -> SignInRefused:
    return SignInRefused(
        gettext("This passkey is not known here. Sign in another way.")
    )


def _expired() -> SignInRefused:
    return SignInRefused(gettext("This took too long or was used already. Try again."))
