"""Passkeys (WebAuthn): register, list and remove them, and sign in with one.

`fido2` checks what the authenticator answers. A challenge counts once, for the host and
the purpose it was made for; the caller keeps it in the session until the answer comes.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext
from fido2.server import Fido2Server
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from devrag.accounts.errors import SignInRefused
from devrag.accounts.models import Passkey
from devrag.accounts.second_factor import (
    drop_unused_codes,
    has_second_factor,
    make_first_codes,
)
from devrag.audit.api import record_event
from devrag.core.errors import Conflict, InvalidInput, NotFound
from devrag.core.hashing import sha256_hex

log = structlog.get_logger(__name__)
_MOST_PASSKEYS, _LONGEST_NAME, _LONGEST_ANSWER = 20, 60, 20_000
# What fido2 raises for answers that are none.
_MALFORMED = (
    *(ValueError, KeyError, TypeError, IndexError, AttributeError, AssertionError),
    *(NotImplementedError, struct.error),
)
Options = Mapping[str, Any]
State = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PasskeySite:
    """Where passkeys count. host: without port; origin: as browsers send it."""

    host: str
    origin: str

    @property
    def server(self) -> Fido2Server:
        """Return what makes challenges and checks answers."""
        rp = PublicKeyCredentialRpEntity(id=self.host, name="devrag")
        return Fido2Server(rp, verify_origin=lambda origin: origin == self.origin)


def passkey_site(address: str, *, is_secure: bool) -> PasskeySite | None:
    """Return where passkeys of a host count; None where browsers refuse them.

    address: with port. Browsers want https, or http on localhost, and no IP address.
    """
    host = address.rsplit(":", 1)[0] if not address.endswith("]") else address
    is_name = not host.startswith("[") and not host.replace(".", "").isdigit()
    is_local = host == "localhost" or host.endswith(".localhost")
    if not is_name or not (is_secure or is_local):
        return None
    scheme = "https" if is_secure else "http"
    return PasskeySite(host, f"{scheme}://{address}")


def list_passkeys(user_id: int) -> list[Passkey]:
    """Return a user's passkeys, the oldest first. Queries: 1."""
    return list(Passkey.objects.filter(user_id=user_id).order_by("pk"))


def has_passkeys(user_id: int, site: PasskeySite | None) -> bool:
    """Return whether a user has one that counts at this host. Queries: 0 or 1."""
    if site is None:
        return False
    return Passkey.objects.filter(user_id=user_id, host=site.host).exists()


def begin_passkey(user: User, site: PasskeySite) -> tuple[Options, State]:
    """Return what the browser needs to make a passkey, and what to keep until then."""
    known = Passkey.objects.filter(user=user, host=site.host)
    if known.count() >= _MOST_PASSKEYS:
        raise Conflict(
            gettext("You have %(most)s passkeys already. Remove one first.")
            % {"most": _MOST_PASSKEYS}
        )
    entity = PublicKeyCredentialUserEntity(
        # No name and no address: authenticators show it to nobody, but keep it.
        id=bytes.fromhex(sha256_hex(f"devrag user {user.pk}")),
        name=user.get_username(),
        display_name=user.get_full_name() or user.get_username(),
    )
    options, state = site.server.register_begin(
        entity,
        [_credential(each) for each in known],
        resident_key_requirement=ResidentKeyRequirement.PREFERRED,
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return dict(options), state


def finish_passkey(
    *, user: User, site: PasskeySite, state: State, answer: str, name: str
) -> list[str]:
    """Store a passkey; return new recovery codes if two-step sign-in begins with it.

    Raises InvalidInput for an answer that does not fit, Conflict for a known passkey.
    """
    with _refused_as(InvalidInput(_not_accepted())):
        found = site.server.register_complete(state, _read(answer))
        data = found.credential_data
        if data is None:
            raise ValueError("no credential")
    name = name.strip()[:_LONGEST_NAME] or gettext("Passkey")
    try:
        with transaction.atomic():
            User.objects.select_for_update().get(pk=user.pk)
            is_first = not has_second_factor(user.pk)
            Passkey.objects.create(
                user=user,
                name=name,
                host=site.host,
                credential_id=websafe_encode(data.credential_id),
                credential=websafe_encode(bytes(data)),
                sign_count=found.counter,
            )
            codes = make_first_codes(user.pk) if is_first else []
            _record("passkey.added", user, name)
    except IntegrityError as error:
        raise Conflict(gettext("This passkey is registered already.")) from error
    log.info("passkey_added", user_id=user.pk)
    return codes


def begin_passkey_sign_in(
    site: PasskeySite, user_id: int | None
) -> tuple[Options, State]:
    """Return what the browser needs to use a passkey, and what to keep until then.

    user_id: whose password was right; None: the passkey stands in for the password, so
    that the authenticator has to check a PIN, a finger or a face.
    """
    known = [] if user_id is None else Passkey.objects.filter(user_id=user_id)
    options, state = site.server.authenticate_begin(
        [_credential(each) for each in known if each.host == site.host] or None,
        user_verification=_verification(user_id),
    )
    return dict(options), state


@transaction.atomic
def take_passkey(
    *, site: PasskeySite, state: State, answer: str, user_id: int | None
) -> User:
    """Return whom a passkey lets in. user_id: as of begin_passkey_sign_in.

    Raises SignInRefused with the reason.
    """
    with _refused_as(SignInRefused(_not_accepted())):
        given = AuthenticationResponse.from_dict(_read(answer))
        rows = Passkey.objects.select_for_update(of=("self",)).select_related("user")
        row = rows.filter(
            host=site.host, credential_id=websafe_encode(given.raw_id)
        ).first()
        if row is None or user_id not in (None, row.user_id):
            raise ValueError("unknown passkey")
        site.server.authenticate_complete(state, [_credential(row)], given)
        counter = given.response.authenticator_data.counter
    if (counter or row.sign_count) and counter <= row.sign_count:
        # Two devices count for themselves: one of them is a copy.
        log.warning("passkey_copied", user_id=row.user_id)
        raise SignInRefused(_not_accepted())
    if user_id is None:
        _check_account(row.user)
    row.sign_count, row.last_used_at = counter, timezone.now()
    row.save(update_fields=["sign_count", "last_used_at"])
    return row.user


@transaction.atomic
def rename_passkey(user: User, passkey_id: int, name: str) -> None:
    """Give a passkey another name. Raises NotFound, InvalidInput."""
    row = _find(user, passkey_id)
    row.name = name.strip()[:_LONGEST_NAME]
    if not row.name:
        raise InvalidInput(gettext("Enter a name."))
    row.save(update_fields=["name"])
    _record("passkey.renamed", user, row.name)


@transaction.atomic
def remove_passkey(user: User, passkey_id: int) -> None:
    """Remove a passkey; without another one and without an app one step is enough."""
    User.objects.select_for_update().get(pk=user.pk)
    row = _find(user, passkey_id)
    row.delete()
    drop_unused_codes(user.pk)
    _record("passkey.removed", user, row.name)
    log.info("passkey_removed", user_id=user.pk)


def _find(user: User, passkey_id: int) -> Passkey:
    row = Passkey.objects.filter(user=user, pk=passkey_id).first()
    if row is None:
        raise NotFound(gettext("You have no such passkey."))
    return row


def _check_account(user: User) -> None:
    """Raise SignInRefused for who may not sign in with a password either."""
    if not user.is_active:
        raise SignInRefused(
            gettext("Your account is deactivated. Ask an administrator.")
        )
    is_local = user.has_usable_password()
    if not is_local or (settings.OIDC_ONLY and not user.is_superuser):
        raise SignInRefused(
            gettext("Passkeys are for accounts with a password. Use the button above.")
        )


def _verification(user_id: int | None) -> UserVerificationRequirement:
    needed = UserVerificationRequirement
    return needed.REQUIRED if user_id is None else needed.PREFERRED


def _credential(row: Passkey) -> AttestedCredentialData:
    return AttestedCredentialData(websafe_decode(row.credential))


def _read(answer: str) -> Mapping[str, Any]:
    if len(answer) > _LONGEST_ANSWER:
        raise ValueError("too long")
    found = json.loads(answer)
    if not isinstance(found, dict):
        raise TypeError("no object")
    return found


@contextmanager
def _refused_as(refusal: Exception) -> Iterator[None]:
    """Raise the refusal for whatever is wrong with an answer, and log the reason."""
    try:
        yield
    except _MALFORMED as error:
        log.warning("passkey_refused", reason=f"{type(error).__name__}: {error}"[:300])
        raise refusal from error


def _not_accepted() -> str:
    return gettext("The passkey was not accepted. Try again.")


def _record(action: str, user: User, name: str) -> None:
    record_event(action, target=user.get_username(), details={"passkey": name})
