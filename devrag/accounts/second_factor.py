"""Set up, check and remove codes of an authenticator app, with recovery codes.

Passkeys turn two-step sign-in on as well; they share the recovery codes.
"""

from __future__ import annotations

import base64
import re
import secrets
import time

import structlog
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from devrag.accounts.models import Passkey, RecoveryCode, SecondFactor
from devrag.accounts.totp import accepted_counter, make_totp_secret
from devrag.core.encryption import decrypt_secrets, encrypt_secrets
from devrag.core.errors import Conflict
from devrag.core.hashing import sha256_hex

log = structlog.get_logger(__name__)
_CODES = 10
_CODE_BYTES = 10  # 80 bits: not to be guessed, also by who has the hashes


def has_second_factor(user_id: int) -> bool:
    """Return whether a password is not enough to sign in. Queries: 1 or 2."""
    return has_app(user_id) or Passkey.objects.filter(user_id=user_id).exists()


def has_app(user_id: int) -> bool:
    """Return whether codes of an authenticator app are set up. Queries: 1."""
    return _confirmed(user_id).exists()


def count_recovery_codes(user_id: int) -> int:
    """Return how many recovery codes are left. Queries: 1."""
    rows = RecoveryCode.objects.filter(factor_id=user_id, used_at__isnull=True)
    return rows.count()


def begin_second_factor(user_id: int) -> str:
    """Store a new secret and return it; it counts once a code of it was right.

    Raises Conflict when there is one that counts already.
    """
    secret = make_totp_secret()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user_id)
        if has_app(user_id):
            raise Conflict(gettext("Two-step sign-in is on already."))
        SecondFactor.objects.update_or_create(
            user_id=user_id,
            defaults={"secret": encrypt_secrets({"totp": secret}), "last_counter": 0},
        )
    return secret


def pending_secret(user_id: int) -> str:
    """Return the secret that waits for its first code; '' when none does."""
    row = SecondFactor.objects.filter(user_id=user_id, confirmed_at=None).first()
    return decrypt_secrets(row.secret)["totp"] if row else ""


def confirm_second_factor(user_id: int, code: str) -> list[str] | None:
    """Turn two-step sign-in on by a first code; return the recovery codes.

    None when the code is wrong. The recovery codes are never shown again.
    """
    with transaction.atomic():
        row = SecondFactor.objects.select_for_update().filter(user_id=user_id).first()
        if row is None or row.confirmed_at or not _take_totp(row, code):
            return None
        row.confirmed_at = timezone.now()
        row.save(update_fields=["confirmed_at"])
        codes = _make_codes(row)
    log.info("second_factor_on", user_id=user_id)
    return codes


def renew_recovery_codes(user_id: int) -> list[str]:
    """Replace all recovery codes; return the new ones."""
    with transaction.atomic():
        row = SecondFactor.objects.select_for_update().filter(user_id=user_id).first()
        codes = _make_codes(row) if row else make_first_codes(user_id)
    log.info("recovery_codes_renewed", user_id=user_id)
    return codes


def make_first_codes(user_id: int) -> list[str]:
    """Return the recovery codes of who begins with a passkey, without an app.

    In a transaction of the caller's.
    """
    row, _ = SecondFactor.objects.update_or_create(
        user_id=user_id, defaults={"secret": _no_app(), "confirmed_at": None}
    )
    return _make_codes(row)


def drop_unused_codes(user_id: int) -> None:
    """Delete the recovery codes of who has neither an app nor a passkey any more."""
    if not has_second_factor(user_id):
        SecondFactor.objects.filter(user_id=user_id).delete()


def take_code(user_id: int, code: str) -> bool:
    """Take a code of the app or a recovery code; return whether it lets the user in."""
    plain = re.sub(r"[\s-]", "", code)[:100]
    with transaction.atomic():
        row = SecondFactor.objects.select_for_update().filter(user_id=user_id).first()
        if row is None or not has_second_factor(user_id):
            return False
        if len(plain) > 8:
            return _take_recovery_code(row, plain)
        return row.confirmed_at is not None and _take_totp(row, plain)


@transaction.atomic
def remove_second_factor(user_id: int) -> None:
    """Remove the app; two-step sign-in is off unless there are passkeys."""
    rows = SecondFactor.objects.select_for_update().filter(user_id=user_id)
    rows.update(secret=_no_app(), confirmed_at=None)
    drop_unused_codes(user_id)
    log.info("second_factor_off", user_id=user_id)


def _no_app() -> bytes:
    return encrypt_secrets({"totp": ""})


def _now() -> float:
    return time.time()


def _confirmed(user_id: int) -> QuerySet[SecondFactor]:
    return SecondFactor.objects.filter(user_id=user_id, confirmed_at__isnull=False)


def _take_totp(row: SecondFactor, code: str) -> bool:
    """Two who send the same code: the row is locked, so the second one is refused."""
    secret = decrypt_secrets(row.secret)["totp"]
    if not secret:
        return False
    counter = accepted_counter(
        secret,
        re.sub(r"\s", "", code),
        now=_now(),
        last_counter=row.last_counter,
    )
    if counter is None:
        return False
    row.last_counter = counter
    row.save(update_fields=["last_counter"])
    return True


def _take_recovery_code(row: SecondFactor, code: str) -> bool:
    rows = row.codes.filter(sha256=sha256_hex(code.lower()), used_at__isnull=True)
    is_taken = rows.update(used_at=timezone.now()) == 1
    if is_taken:
        log.info("recovery_code_used", user_id=row.pk)
    return is_taken


def _make_codes(row: SecondFactor) -> list[str]:
    row.codes.all().delete()
    made = [
        base64.b32encode(secrets.token_bytes(_CODE_BYTES)).decode().lower()
        for _ in range(_CODES)
    ]
    RecoveryCode.objects.bulk_create(
        RecoveryCode(factor=row, sha256=sha256_hex(code)) for code in made
    )
    return ["-".join(code[at : at + 4] for at in range(0, 16, 4)) for code in made]
