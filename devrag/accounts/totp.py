"""Time-based one-time passwords (RFC 6238): six digits, SHA-1, 30 seconds.

These are what every authenticator app understands.
"""

from __future__ import annotations

import base64
import secrets

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.hotp import HOTP
from cryptography.hazmat.primitives.twofactor.totp import TOTP

_SECONDS = 30
_DIGITS = 6
_SECRET_BYTES = 20
# Steps of 30 seconds by which the clock of a phone may be off.
_TOLERANCE = 1


def make_totp_secret() -> str:
    """Return a new secret as base32, as people may type it."""
    return base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def accepted_counter(
    secret: str, code: str, *, now: float, last_counter: int
) -> int | None:
    """Return the step whose code this is; None when wrong or not newer than the last.

    now: seconds since 1970.
    """
    if len(code) != _DIGITS or not code.isascii() or not code.isdigit():
        return None
    hotp = HOTP(base64.b32decode(secret), _DIGITS, SHA1())  # noqa: S303
    current = int(now) // _SECONDS
    given = code.encode()
    found = None
    for counter in range(current - _TOLERANCE, current + _TOLERANCE + 1):
        # All of them are compared, whichever is right.
        if secrets.compare_digest(hotp.generate(counter), given):
            found = counter
    return found if found is not None and found > last_counter else None


def totp_code(secret: str, now: float) -> str:
    """Return the code of a moment, as an app shows it."""
    hotp = HOTP(base64.b32decode(secret), _DIGITS, SHA1())  # noqa: S303
    return hotp.generate(int(now) // _SECONDS).decode()


def totp_address(secret: str, user_name: str, issuer: str) -> str:
    """Return the otpauth:// address that apps read from a QR code."""
    totp = TOTP(base64.b32decode(secret), _DIGITS, SHA1(), _SECONDS)  # noqa: S303
    return totp.get_provisioning_uri(user_name, issuer)
