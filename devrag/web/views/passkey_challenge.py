"""A challenge for an authenticator: kept in the session, used once, for one purpose."""

from __future__ import annotations

import time
from typing import Any

from django.http import HttpRequest

from devrag.accounts.api import PasskeySite, passkey_site
from devrag.core.errors import InvalidInput
from devrag.core.texts import gettext

_KEY = "passkey_challenge"
_SECONDS = 300


def site_of(request: HttpRequest) -> PasskeySite | None:
    """Return where passkeys count that this browser makes; None where none can be."""
    return passkey_site(request.get_host(), is_secure=request.is_secure())


def require_site(request: HttpRequest) -> PasskeySite:
    """Return it. Raises InvalidInput with the way out."""
    site = site_of(request)
    if site is None:
        raise InvalidInput(
            gettext("Passkeys need https, or the address http://localhost.")
        )
    return site


def keep_challenge(request: HttpRequest, purpose: str, state: dict[str, Any]) -> None:
    """Keep it until the answer comes, five minutes at most."""
    at = int(time.time())
    request.session[_KEY] = {"purpose": purpose, "state": state, "at": at}


def take_challenge(request: HttpRequest, purpose: str) -> dict[str, Any]:
    """Return it and forget it. Raises InvalidInput when there is none any more."""
    kept = request.session.pop(_KEY, {})
    is_fresh = time.time() - kept.get("at", 0) < _SECONDS
    if kept.get("purpose") != purpose or not is_fresh:
        raise InvalidInput(gettext("That took too long. Try again."))
    state: dict[str, Any] = kept["state"]
    return state
