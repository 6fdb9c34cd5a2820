"""The two halves of a sign-in: to the provider and back.

In between, what belongs to this sign-in (state, nonce, PKCE verifier, where to go on)
is in a signed cookie of the browser that began it, for ten minutes. So a link that
somebody else made ends nowhere, and nothing is stored for people who are not signed in.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import asdict, dataclass
from urllib.parse import urlencode

from django.core import signing
from django.core.cache import cache
from django.utils.translation import gettext

from devrag.accounts.errors import SignInRefused
from devrag.accounts.oidc.claims import Claims, read_claims
from devrag.accounts.oidc.configuration import Configuration
from devrag.accounts.oidc.id_token import read_id_token
from devrag.accounts.oidc.provider import Provider
from devrag.core.hashing import sha256_hex

COOKIE = "devrag_oidc"
MOST_SECONDS = 600
_SALT = "devrag.accounts.oidc"
_MOST_CODE = 4_000


@dataclass(frozen=True, slots=True)
class Begun:
    """A sign-in that was begun. next_url: an address of this host.

    link_user_id: the user who links their account; 0: nobody, it is a sign-in.
    """

    state: str
    nonce: str
    verifier: str
    redirect_uri: str
    next_url: str
    link_user_id: int = 0

    def as_cookie(self) -> str:
        """Return it signed."""
        return signing.dumps(asdict(self), salt=_SALT)


def begin(
    configuration: Configuration,
    redirect_uri: str,
    next_url: str,
    *,
    link_user_id: int = 0,
) -> tuple[Begun, str]:
    """Return a new sign-in and the provider's address to go to.

    Raises ProviderFailed when the provider's metadata cannot be had.
    """
    metadata = Provider(configuration).metadata()
    begun = Begun(
        secrets.token_urlsafe(24),
        secrets.token_urlsafe(24),
        secrets.token_urlsafe(48),
        redirect_uri,
        next_url,
        link_user_id,
    )
    digest = hashlib.sha256(begun.verifier.encode()).digest()
    query = {
        "response_type": "code",
        "client_id": configuration.client_id,
        "redirect_uri": redirect_uri,
        "scope": configuration.scopes,
        "state": begun.state,
        "nonce": begun.nonce,
        "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
        "code_challenge_method": "S256",
    }
    joint = "&" if "?" in metadata.authorization_endpoint else "?"
    return begun, f"{metadata.authorization_endpoint}{joint}{urlencode(query)}"


def resume(cookie: str | None, state: str) -> Begun:
    """Return the sign-in that this browser began. Raises SignInRefused.

    It is resumed once: an answer of the provider is of no use a second time.
    """
    try:
        stored = signing.loads(cookie or "", salt=_SALT, max_age=MOST_SECONDS)
        begun = Begun(**stored)
    except (signing.BadSignature, TypeError, ValueError):
        raise _expired() from None
    if not hmac.compare_digest(begun.state.encode(), state.encode()):
        raise _expired()
    if not cache.add(f"oidc-resumed:{sha256_hex(state)}", True, MOST_SECONDS):
        raise _expired()
    return begun


def finish(
    begun: Begun, answer: dict[str, str], configuration: Configuration
) -> Claims:
    """Return the person of a provider's answer: the query of the way back.

    Raises SignInRefused where the provider refuses, ProviderFailed where its answer or
    tokens cannot be used.
    """
    provider = Provider(configuration)
    issuer = answer.get("iss")  # RFC 9207
    if issuer is not None and issuer != provider.metadata().issuer:
        raise provider.failed(gettext("the answer came from another issuer"))
    if error := answer.get("error"):
        raise provider.refused(error, dict(answer))
    code = answer.get("code", "")
    if not code or len(code) > _MOST_CODE:
        raise provider.failed(gettext("its answer has no code"))
    tokens = provider.exchange(code, begun.verifier, begun.redirect_uri)
    found = read_id_token(tokens.id_token, begun.nonce, provider, configuration)
    return read_claims(found, tokens, provider, configuration)


def _expired() -> SignInRefused:
    return SignInRefused(
        gettext(
            "This sign-in has expired, was used already or was started in another "
            "browser. Start it again."
        )
    )
