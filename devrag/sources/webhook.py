"""Send a signed message to an address that somebody chose, where it is allowed.

After Standard Webhooks: the receiver tells by `webhook-id` what it had already, and by
`webhook-signature` who sent it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time

import httpx2
from django.utils.translation import gettext

from devrag.core.errors import DevragError, InvalidInput, SourceError
from devrag.sources.connectors.pages.transport import CheckedTransport
from devrag.sources.hosts import AddressRules, resolve_host

_PREFIX = "whsec_"
_TIMEOUT = httpx2.Timeout(20.0, connect=10.0)
_RETRIED = frozenset({408, 425, 429})
_MOST_CHARACTERS = 2_000


class Unconfirmed(SourceError):
    """A message that may have arrived: the answer did not come."""


def make_webhook_secret() -> str:
    """Return a new secret for signatures."""
    return _PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def check_webhook(url: str, rules: AddressRules) -> str:
    """Return the host of a webhook's address; it is looked up.

    Raises InvalidInput for what is no address or is not allowed.
    """
    try:
        parts = httpx2.URL(url)
    except (httpx2.InvalidURL, TypeError, ValueError):
        parts = httpx2.URL("")
    schemes = {"https", "http"} if rules.allow_http else {"https"}
    if parts.scheme not in schemes or not parts.host or len(url) > _MOST_CHARACTERS:
        raise InvalidInput(gettext("The URL of a webhook must begin with https://."))
    if parts.userinfo:
        raise InvalidInput(gettext("Remove the user name and password from the URL."))
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        resolve_host(parts.host, port, rules)
    except DevragError as error:
        raise InvalidInput(error.message) from error
    return parts.host


def post_webhook(
    url: str, secret: str, message_id: str, body: bytes, rules: AddressRules
) -> None:
    """Send a JSON body. Redirects are not followed.

    Raises SourceError, permanent or not, for a refusal or a server that cannot be
    reached; Unconfirmed where the message may have arrived; PermissionDenied for an
    address that is not allowed.
    """
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "devrag",
        **_signature(secret, message_id, body),
    }
    with httpx2.Client(
        transport=CheckedTransport(rules),
        timeout=_TIMEOUT,
        follow_redirects=False,
        trust_env=False,
    ) as client:
        host = httpx2.URL(url).host
        try:
            with client.stream("POST", url, content=body, headers=headers) as answer:
                status = answer.status_code
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            raise SourceError(
                gettext("Cannot reach %(host)s.") % {"host": host},
                permanent=False,
            ) from error
        except httpx2.HTTPError as error:
            raise Unconfirmed(
                gettext(
                    "%(host)s did not respond; the message may have been delivered."
                )
                % {"host": host}
            ) from error
    if not 200 <= status < 300:
        raise SourceError(
            gettext("%(host)s rejected the message (HTTP %(status)s).")
            % {"host": host, "status": status},
            permanent=status < 500 and status not in _RETRIED,
        )


def _signature(secret: str, message_id: str, body: bytes) -> dict[str, str]:
    stamp = str(int(time.time()))
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    signed = f"{message_id}.{stamp}.".encode() + body
    digest = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{digest}",
    }
