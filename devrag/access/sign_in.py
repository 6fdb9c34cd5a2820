"""How people sign in: allauth's account flow with our limits, texts and log.

Passwords are tried a few times only, counted before they are checked: by account and
address together, by address, and by account alone against guesses from many addresses.
The last does not hold for addresses from which the account has signed in lately, so
that nobody locks out somebody else. A right password is not counted.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Callable
from typing import Any

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import ratelimit
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, gettext_lazy, ngettext

from devrag.access.account_events import record_refusal
from devrag.access.hashing import TooManySignIns
from devrag.core.connection_pool import release_connections
from devrag.core.hashing import sha256_hex
from devrag.core.unavailable import DATABASE_FAILURES

log = structlog.get_logger(__name__)
_APP = "allauth.account"
_MAX_LOGGED = 150
# What proxies add, by its name in request.META.
_FORWARDED = {"HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED"}
# How long an address stays known after a sign-in.
_KNOWN_SECONDS = 30 * 24 * 3600


class SignInLocked(ValidationError):
    """Too many wrong passwords; the next may be tried after `retry_after_seconds`."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__(describe_lock(retry_after_seconds), code="locked")
        self.retry_after_seconds = retry_after_seconds


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # no types
    """Our answers to allauth's questions. No e-mail, no sign-up, no messages."""

    _is_proxy_reported = False  # of the class: once per process
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": gettext_lazy("Incorrect username or password."),
    }

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt; raise SignInLocked when there were too many."""
        self._check_proxy(request)
        # Attempts with one name wait for each other to be counted.
        release_connections()
        used = []
        for action, key in self._keys(request, credentials["username"]).items():
            usage = ratelimit.consume(request, app=_APP, action=action, key=key)
            if usage is None:
                seconds = _seconds_locked(request, action, key)
                self._log(
                    "sign_in_locked", request, credentials, retry_after_seconds=seconds
                )
                record_refusal("sign_in.locked", credentials["username"])
                raise SignInLocked(seconds)
            used += usage.usage
        self._login_failed_rl_usage = ratelimit.RateLimitUsage(used)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Return the user; an attempt that was not checked does not count."""
        try:
            user = super().authenticate(request, **credentials)
        except (TooManySignIns, *DATABASE_FAILURES):
            self._rollback_login_failed_rl_usage()
            raise
        if user is not None and settings.OIDC_ONLY and not user.is_superuser:
            self._log("password_not_allowed", request, credentials)
            raise ValidationError(
                gettext(
                    "Only local administrators sign in with a password here. Use the "
                    "button above."
                )
            )
        return user

    def get_login_stages(self) -> list[str]:
        return [*super().get_login_stages(), settings.SECOND_STEP]

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        self._log("sign_in_failed", request, credentials)

    def login(self, request: HttpRequest, user: Any) -> None:
        super().login(request, user)
        cache.set(_known_key(request, user.get_username()), True, _KNOWN_SECONDS)
        log.info(
            "signed_in",
            user_name=user.get_username(),
            address=self.get_client_ip(request),
        )

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def is_safe_url(self, url: str | None) -> bool:
        """Return whether to go there after sign-in: only to pages of this host."""
        return url_has_allowed_host_and_scheme(
            url,
            allowed_hosts={self.request.get_host()},
            require_https=self.request.is_secure(),
        )

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def is_ajax(self, request: HttpRequest) -> bool:
        return False

    def add_message(self, *_args: Any, **_kwargs: Any) -> None:
        """Show nothing: the page that follows says enough."""

    def _check_proxy(self, request: HttpRequest) -> None:
        """Warn once that a proxy's address is taken for that of all its clients."""
        if self._is_proxy_reported or settings.TRUSTED_PROXIES:
            return
        if not _FORWARDED & request.META.keys():
            return
        AccountAdapter._is_proxy_reported = True
        log.warning(
            "proxy_not_trusted",
            address=self.get_client_ip(request),
            reason="A forwarded request was received, but TRUSTED_PROXIES is not set. "
            "All users behind the proxy appear to have its address, so wrong "
            "passwords of one user lock everyone out.",
            solution="If this is your proxy, set TRUSTED_PROXIES to its address.",
        )

    def _keys(self, request: HttpRequest, name: str) -> dict[str, str]:
        account = name.lower()
        keys = {"login_failed": f"{account}\n{ratelimit.get_ip(request)}"}
        if not cache.get(_known_key(request, name)):
            keys["login_failed_anywhere"] = account
        return keys

    def _log(
        self,
        event: str,
        request: HttpRequest,
        credentials: dict[str, Any],
        **more: object,
    ) -> None:
        name = credentials["username"][:_MAX_LOGGED]
        log.warning(event, user_name=name, address=self.get_client_ip(request), **more)


def client_address(request: HttpRequest) -> str:
    """Return the client's IP address, "unknown" for what is none.

    It is the peer's, where the server has put the one that a trusted proxy names. IPv4
    within IPv6 is IPv4: all of it would count as one network otherwise.
    """
    return plain_address(request.META.get("REMOTE_ADDR", ""))


def plain_address(text: str) -> str:
    """Return an IP address in its shortest form, "unknown" for what is none."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:  # a socket file, or what a proxy passed on unread
        return "unknown"
    return str(getattr(address, "ipv4_mapped", None) or address)


def _known_key(request: HttpRequest, name: str) -> str:
    """Return the key in the cache of an account at a client's address."""
    known = sha256_hex(f"{name.lower()}\n{ratelimit.get_ip(request)}")
    return f"signed-in:{known}"


def describe_lock(seconds: int) -> str:
    """Return the sentence that says how long to wait."""
    if seconds < 60:
        wait = ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}
    else:
        minutes = math.ceil(seconds / 60)
        wait = ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    return gettext("Too many failed attempts. Try again in %(wait)s.") % {"wait": wait}


def count_password_change(request: HttpRequest) -> None:
    """Count an attempt to change the own password; raise SignInLocked beyond five."""
    if ratelimit.consume(request, app=_APP, action="change_password") is None:
        log.warning("password_change_locked", user_name=request.user.get_username())
        raise SignInLocked(_seconds_locked(request, "change_password", None))


def count_second_step(request: HttpRequest, user_id: int) -> Callable[[], None]:
    """Count a code before it is checked; return what takes the count of it back.

    Raises SignInLocked beyond five of a user in five minutes.
    """
    key = str(user_id)
    usage = ratelimit.consume(request, app=_APP, action="second_step", key=key)
    if usage is None:
        log.warning("second_step_locked", user_id=user_id)
        raise SignInLocked(_seconds_locked(request, "second_step", key))
    return usage.rollback  # type: ignore[no-any-return]  # allauth has no types


def count_passkey(request: HttpRequest) -> Callable[[], None]:
    """Count a passkey before it is checked; return what takes the count of it back.

    Raises SignInLocked beyond twenty of an address in five minutes.
    """
    usage = ratelimit.consume(request, app=_APP, action="passkey")
    if usage is None:
        log.warning("passkey_locked", address=client_address(request))
        record_refusal("sign_in.locked", "")
        raise SignInLocked(_seconds_locked(request, "passkey", None))
    return usage.rollback  # type: ignore[no-any-return]  # allauth has no types


def count_challenge(request: HttpRequest) -> None:
    """Count what is kept for who is not signed in; raise SignInLocked beyond sixty."""
    if ratelimit.consume(request, app=_APP, action="passkey_challenge") is None:
        raise SignInLocked(_seconds_locked(request, "passkey_challenge", None))


def record_refused_passkey(user_name: str) -> None:
    """Record in the audit log that a passkey was refused. user_name: may be unknown."""
    record_refusal("sign_in.failed", user_name)


def count_forgotten_password(request: HttpRequest, address: str) -> None:
    """Count a request for a link; raise SignInLocked beyond three for an address.

    Addresses count whether or not an account has them.
    """
    key = address.strip().lower()
    if ratelimit.consume(request, app=_APP, action="forgot_password", key=key) is None:
        log.warning("forgotten_password_locked", address=client_address(request))
        raise SignInLocked(_seconds_locked(request, "forgot_password", key))


def _seconds_locked(request: HttpRequest, action: str, key: str | None) -> int:
    """Return how long until another attempt is possible, at least a second."""
    waits = [1.0]
    for rate in ratelimit.get_rates(app=_APP, action=action):
        cache_key = ratelimit.get_cache_key(
            request, app=_APP, action=action, rate=rate, key=key
        )
        history: list[float] = cache.get(cache_key, [])
        if len(history) >= rate.amount:
            waits.append(history[-1] + rate.duration - time.time())
    return math.ceil(max(waits))
