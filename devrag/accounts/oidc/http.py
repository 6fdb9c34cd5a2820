"""Requests to an OpenID provider: checked addresses, no redirects, bounded answers.

This machine and internal networks are allowed unless SOURCES_PUBLIC_ONLY is set;
addresses of a cloud's own services never are. Plain http stays within one's own
network: a token that crosses the internet so could be read.
"""

from __future__ import annotations

import ipaddress
import json
import threading
import time
from collections.abc import Mapping
from typing import Any

import httpx2
from django.conf import settings
from django.utils.translation import gettext

from devrag.accounts.errors import ProviderFailed
from devrag.core.connection_pool import release_connections
from devrag.core.errors import DevragError
from devrag.sources.api import AddressRules, CheckedTransport, resolve_host

_TIMEOUT = httpx2.Timeout(5.0)
# For one answer in all, however slowly it drips.
_MOST_SECONDS = 10.0
_MOST_BYTES = 1_000_000
# A provider that hangs must not keep all threads: pages are for everybody.
_turns = threading.BoundedSemaphore(8)
_MOST_WAIT_SECONDS = 2.0
_PORTS = {"https": 443, "http": 80}
_MOST_SHOWN = 200


class ProviderHttp:
    """A client for a few requests. name: what people call the provider."""

    def __init__(self, name: str) -> None:
        self._name = name
        # Looked up once more by the transport, which connects to what it has checked.
        self._rules = AddressRules(
            allow_http=True,
            public_only=settings.SOURCES_PUBLIC_ONLY,
            allow_loopback=not settings.SOURCES_PUBLIC_ONLY,
        )

    def get(self, url: str, *, token: str = "") -> dict[str, Any]:
        """Return the JSON object at an address. Raises ProviderFailed."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        status, body = self._ask("GET", url, headers=headers)
        if status != 200:
            raise self._failed(
                url,
                gettext("it answered with HTTP %(status)s") % {"status": status},
            )
        return self._object(url, body)

    def post(
        self, url: str, form: Mapping[str, str], auth: tuple[str, str] | None
    ) -> tuple[int, dict[str, Any]]:
        """Send a form; return the status and the JSON object. Raises ProviderFailed."""
        status, body = self._ask("POST", url, data=form, auth=auth)
        return status, self._object(url, body)

    def _ask(self, method: str, url: str, **request: Any) -> tuple[int, bytes]:
        """Wait for a turn, without a connection of the database's pool."""
        release_connections()
        if not _turns.acquire(timeout=_MOST_WAIT_SECONDS):
            raise self._failed(url, gettext("too many requests wait for it"))
        try:
            self._check(url)
            return self._send(method, url, **request)
        finally:
            _turns.release()

    def _send(self, method: str, url: str, **request: Any) -> tuple[int, bytes]:
        try:
            with (
                httpx2.Client(
                    transport=CheckedTransport(self._rules),
                    timeout=_TIMEOUT,
                    follow_redirects=False,
                    trust_env=False,
                    headers={"User-Agent": "devrag", "Accept": "application/json"},
                ) as client,
                client.stream(method, url, **request) as answer,
            ):
                return answer.status_code, self._read(url, answer)
        except httpx2.TimeoutException as error:
            raise self._failed(url, gettext("it did not answer in time")) from error
        except httpx2.ConnectError as error:
            raise self._failed(url, gettext("it refused the connection")) from error
        except httpx2.HTTPError as error:
            raise self._failed(url, gettext("the connection was closed")) from error
        except DevragError as error:
            if isinstance(error, ProviderFailed):
                raise
            raise self._failed(url, error.message) from error

    def _read(self, url: str, answer: httpx2.Response) -> bytes:
        deadline = time.monotonic() + _MOST_SECONDS
        read = bytearray()
        for piece in answer.iter_bytes():
            read += piece
            if len(read) > _MOST_BYTES:
                raise self._failed(url, gettext("its answer is too large"))
            if time.monotonic() > deadline:
                raise self._failed(url, gettext("it did not answer in time"))
        return bytes(read)

    def _object(self, url: str, body: bytes) -> dict[str, Any]:
        try:
            read = json.loads(body)
        except (ValueError, RecursionError):
            read = None
        if not isinstance(read, dict):
            raise self._failed(url, gettext("its answer is not a JSON object"))
        return read

    def _check(self, url: str) -> None:
        """Raise ProviderFailed unless an address may be asked."""
        try:
            parts = httpx2.URL(url)
            port = parts.port or _PORTS[parts.scheme]
        except (httpx2.InvalidURL, TypeError, ValueError, KeyError) as error:
            raise self._failed(url, gettext("the address is not valid")) from error
        try:
            found = resolve_host(parts.host, port, self._rules)
        except DevragError as error:
            raise self._failed(url, error.message) from error
        is_public = any(
            ipaddress.ip_address(address.partition("%")[0]).is_global
            for address in found
        )
        if parts.scheme == "http" and is_public:
            raise self._failed(url, gettext("on the internet only https is allowed"))

    def _failed(self, url: str, reason: str) -> ProviderFailed:
        return ProviderFailed(
            gettext(
                "Cannot sign in with %(name)s: %(url)s cannot be used (%(reason)s). "
                "Try again in a minute. If it keeps failing, ask an administrator to "
                "check OIDC_ISSUER and the provider."
            )
            % {"name": self._name, "url": shown_address(url), "reason": reason}
        )


def shown_address(url: str) -> str:
    """Return an address for messages: without a query, user name or great length."""
    return str(url).partition("?")[0].rpartition("@")[2][:_MOST_SHOWN]
