"""An OpenID provider: its metadata and keys, and the exchange of a code for tokens.

Metadata and keys are kept in the process for ten minutes; keys are asked for again as
soon as a token was signed by one that is not known (rotation), at most every ten
seconds.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import structlog
from django.utils.translation import gettext

from devrag.accounts.errors import ProviderFailed, SignInRefused
from devrag.accounts.oidc.configuration import Configuration
from devrag.accounts.oidc.http import ProviderHttp, shown_address

log = structlog.get_logger(__name__)
_KEPT_SECONDS = 600.0
_AGAIN_SECONDS = 10.0
_MOST_SHOWN = 200
_MOST_TOKEN = 200_000


@dataclass(frozen=True, slots=True)
class Metadata:
    """What discovery says. auth_methods: how a client may prove who it is."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str
    algorithms: frozenset[str]
    auth_methods: frozenset[str]


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a code was exchanged for."""

    id_token: str
    access_token: str


@dataclass(slots=True)
class _Kept:
    value: dict[str, Any]
    at: float


class Kept:
    """Documents by address, for the threads of a process."""

    def __init__(self) -> None:
        self._documents: dict[str, _Kept] = {}
        self._lock = threading.Lock()

    def get(
        self, url: str, read: Callable[[str], dict[str, Any]], most_age: float
    ) -> dict[str, Any]:
        """Return a document of at most that age, in seconds."""
        with self._lock:
            kept = self._documents.get(url)
        if kept is not None and time.monotonic() - kept.at < most_age:
            return kept.value
        value = read(url)
        with self._lock:
            self._documents[url] = _Kept(value, time.monotonic())
        return value

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._documents.clear()


kept_documents = Kept()


class Provider:
    """The provider of a configuration; asks it as far as nothing is kept."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._http = ProviderHttp(configuration.name)

    def metadata(self) -> Metadata:
        """Return what discovery says. Raises ProviderFailed."""
        issuer = self._configuration.issuer
        url = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
        found = kept_documents.get(url, self._discover, _KEPT_SECONDS)
        return Metadata(
            issuer=found["issuer"],
            authorization_endpoint=found["authorization_endpoint"],
            token_endpoint=found["token_endpoint"],
            jwks_uri=found["jwks_uri"],
            userinfo_endpoint=_text(found, "userinfo_endpoint"),
            algorithms=_texts(found, "id_token_signing_alg_values_supported"),
            auth_methods=_texts(found, "token_endpoint_auth_methods_supported"),
        )

    def keys(self, *, is_fresh: bool = False) -> list[dict[str, Any]]:
        """Return the JSON Web Keys that sign tokens. Raises ProviderFailed."""
        most_age = _AGAIN_SECONDS if is_fresh else _KEPT_SECONDS
        found = kept_documents.get(self.metadata().jwks_uri, self._http.get, most_age)
        keys = found.get("keys")
        if not isinstance(keys, list):
            raise self.failed(gettext("its keys are not a list"))
        return [key for key in keys if isinstance(key, dict)]

    def exchange(self, code: str, verifier: str, redirect_uri: str) -> Tokens:
        """Return the tokens for a code. Raises ProviderFailed, SignInRefused."""
        metadata, configuration = self.metadata(), self._configuration
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
            "client_id": configuration.client_id,
        }
        auth = None
        if configuration.client_secret:
            if _is_by_form(metadata):
                form["client_secret"] = configuration.client_secret
            else:  # RFC 6749, 2.3.1: each part is encoded first
                auth = (
                    quote(configuration.client_id, safe=""),
                    quote(configuration.client_secret, safe=""),
                )
        status, answer = self._http.post(metadata.token_endpoint, form, auth)
        if status != 200:
            raise self.refused(_text(answer, "error") or f"HTTP {status}", answer)
        return self._tokens(answer)

    def user_info(self, access_token: str) -> dict[str, Any]:
        """Return more claims of whom an access token is for; empty without them."""
        url = self.metadata().userinfo_endpoint
        if not url or not access_token:
            return {}
        return self._http.get(url, token=access_token)

    def refused(self, code: str, details: dict[str, Any]) -> SignInRefused:
        """Return the refusal of a provider with its own words, for people to read."""
        said = _text(details, "error_description")[:_MOST_SHOWN]
        reason = f"{code[:60]}: {said}" if said else code[:60]
        log.warning("oidc_refused", issuer=self._configuration.issuer, reason=reason)
        return SignInRefused(
            gettext(
                "%(name)s refused the sign-in (%(reason)s). Try again; if it refuses "
                "again, ask its administrators."
            )
            % {"name": self._configuration.name, "reason": reason}
        )

    def failed(self, reason: str) -> ProviderFailed:
        """Return that the provider does not answer as it must, and log it."""
        log.warning("oidc_failed", issuer=self._configuration.issuer, reason=reason)
        return ProviderFailed(
            gettext(
                "Cannot sign in with %(name)s: %(reason)s. Start again; if it keeps "
                "failing, tell an administrator."
            )
            % {"name": self._configuration.name, "reason": reason}
        )

    def _discover(self, url: str) -> dict[str, Any]:
        found = self._http.get(url)
        issuer = found.get("issuer")
        if not isinstance(issuer, str) or (
            issuer.rstrip("/") != self._configuration.issuer.rstrip("/")
        ):
            raise self.failed(
                gettext("%(url)s describes another issuer: %(issuer)s")
                % {"url": shown_address(url), "issuer": shown_address(str(issuer))}
            )
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            if not _text(found, name).startswith(("https://", "http://")):
                raise self.failed(
                    gettext("%(url)s names no %(what)s")
                    % {"url": shown_address(url), "what": name}
                )
        return found

    def _tokens(self, answer: dict[str, Any]) -> Tokens:
        id_token = _text(answer, "id_token")
        if not id_token or len(id_token) > _MOST_TOKEN:
            raise self.failed(gettext("its answer has no ID token"))
        return Tokens(id_token, _text(answer, "access_token"))


def _is_by_form(metadata: Metadata) -> bool:
    methods = metadata.auth_methods
    return "client_secret_post" in methods and "client_secret_basic" not in methods


def _text(found: dict[str, Any], name: str) -> str:
    value = found.get(name)
    return value if isinstance(value, str) else ""


def _texts(found: dict[str, Any], name: str) -> frozenset[str]:
    value = found.get(name)
    if not isinstance(value, list):
        return frozenset()
    return frozenset(each for each in value if isinstance(each, str))
