"""Check an ID token: signature, issuer, audience, times and nonce."""

from __future__ import annotations

import hmac
from typing import Any

import jwt
from django.utils.translation import gettext

from devrag.accounts.oidc.configuration import Configuration
from devrag.accounts.oidc.provider import Provider

# Signatures by a key that only the provider has; never `none` or a shared secret.
_ALGORITHMS = frozenset(
    f"{family}{bits}" for family in ("RS", "PS", "ES") for bits in (256, 384, 512)
) | {"EdDSA"}
# How far two clocks may be apart.
LEEWAY_SECONDS = 60
_REQUIRED = ["iss", "sub", "aud", "exp", "iat"]


def read_id_token(
    token: str, nonce: str, provider: Provider, configuration: Configuration
) -> dict[str, Any]:
    """Return the claims of a token that is for this installation and this sign-in.

    Raises ProviderFailed with what is wrong.
    """
    metadata = provider.metadata()
    allowed = _ALGORITHMS & metadata.algorithms or {"RS256"}
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            _key_of(token, provider),
            algorithms=sorted(allowed),
            audience=configuration.client_id,
            issuer=metadata.issuer,
            leeway=LEEWAY_SECONDS,
            options={"require": _REQUIRED},
        )
    except jwt.ExpiredSignatureError as error:
        raise provider.failed(
            gettext("the ID token has expired; are both clocks right?")
        ) from error
    except jwt.ImmatureSignatureError as error:
        raise provider.failed(
            gettext("the ID token is not valid yet; are both clocks right?")
        ) from error
    except (jwt.PyJWTError, ValueError, TypeError, RecursionError) as error:
        raise provider.failed(
            gettext("the ID token is not valid (%(reason)s)")
            % {"reason": str(error)[:100] or type(error).__name__}
        ) from error
    _check_sign_in(claims, nonce, provider, configuration)
    return claims


def _check_sign_in(
    claims: dict[str, Any],
    nonce: str,
    provider: Provider,
    configuration: Configuration,
) -> None:
    """Refuse a token of another sign-in, or that was made for another client."""
    found = claims.get("nonce")
    if not isinstance(found, str) or not hmac.compare_digest(
        found.encode(), nonce.encode()
    ):
        raise provider.failed(gettext("the ID token is one of another sign-in"))
    audience, party = claims["aud"], claims.get("azp")
    is_for_several = isinstance(audience, list) and len(audience) > 1
    if (is_for_several or party is not None) and party != configuration.client_id:
        raise provider.failed(gettext("the ID token was made for another application"))


def _key_of(token: str, provider: Provider) -> jwt.PyJWK:
    """Return the key that a token names; keys are asked for anew for one not known."""
    header = jwt.get_unverified_header(token)
    wanted = header.get("kid")
    for is_fresh in (False, True):
        keys = provider.keys(is_fresh=is_fresh)
        fitting = [key for key in keys if key.get("use", "sig") == "sig"]
        if wanted is not None:
            fitting = [key for key in fitting if key.get("kid") == wanted]
        if len(fitting) == 1:
            return jwt.PyJWK(fitting[0], algorithm=_algorithm(header))
    raise provider.failed(gettext("the ID token was signed by a key that is not known"))


def _algorithm(header: dict[str, Any]) -> str:
    algorithm = header.get("alg")
    if algorithm not in _ALGORITHMS:
        raise jwt.InvalidAlgorithmError(f"algorithm {str(algorithm)[:20]}")
    return str(algorithm)
