"""Make, find and revoke API tokens."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from devrag.access.auth import principal_of_user
from devrag.access.models import ApiToken
from devrag.audit.api import record_event
from devrag.core.errors import Conflict, InvalidInput, NotFound
from devrag.core.hashing import sha256_hex
from devrag.core.principal import Principal, Role
from devrag.products.models import Product

_PREFIX = "devrag_"
# What a secret looks like, wherever it should not be.
SECRET_PATTERN = re.compile(rf"{_PREFIX}[\w-]{{43}}")
_SCOPE_ROLES = {
    ApiToken.Scope.READ: Role.VIEWER,
    ApiToken.Scope.INDEX: Role.MAINTAINER,
    ApiToken.Scope.WIKI: Role.MAINTAINER,
    ApiToken.Scope.ADMIN: Role.ADMIN,
}
_USED_RESOLUTION = timedelta(minutes=1)


@transaction.atomic
def create_token(
    *,
    name: str,
    scopes: Sequence[str],
    user: User | None = None,
    products: Iterable[Product] = (),
    expires_at: datetime | None = None,
) -> tuple[ApiToken, str]:
    """Create a token; return it with its secret, which is never shown again."""
    unknown = sorted(set(scopes) - set(ApiToken.Scope.values))
    if unknown or not scopes:
        raise InvalidInput(
            gettext("Unknown scope '%(unknown)s'. Use one or more of: %(values)s.")
            % {
                "unknown": ", ".join(unknown) or gettext("none"),
                "values": ", ".join(ApiToken.Scope.values),
            }
        )
    given = list(products)
    secret = _PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        name=name,
        prefix=secret[: len(_PREFIX) + 6],
        sha256=sha256_hex(secret),
        scopes=sorted(set(scopes)),
        user=user,
        expires_at=expires_at,
        is_limited=bool(given),
    )
    token.products.set(given)
    record_event(
        "token.created",
        target=str(token),
        details={
            "scopes": token.scopes,
            "products": sorted(product.name for product in given),
            "owner": user.get_username() if user is not None else "",
            "expiresAt": expires_at.isoformat() if expires_at else None,
        },
    )
    return token, secret


def principal_of_token(secret: str) -> Principal | None:
    """Return whom a Bearer secret stands for; None when unknown, expired or revoked."""
    token = find_token(secret)
    if token is None or _why_refused(token):
        return None
    _note_use(token, timezone.now())
    return _principal(token)


def find_token(secret: str) -> ApiToken | None:
    """Return the token of a secret, usable or not. Queries: 1."""
    tokens = ApiToken.objects.select_related("user")
    return tokens.filter(sha256=sha256_hex(secret)).first()


def describe_refusal(secret: str) -> str:
    """Say to whoever has the secret why it opens nothing."""
    token = find_token(secret)
    return "Unknown token." if token is None else _why_refused(token)


def _why_refused(token: ApiToken) -> str:
    if token.is_revoked:
        return "This token has been revoked."
    if token.state == "expired":
        return f"This token expired at {token.expires_at:%Y-%m-%d %H:%M} UTC."
    is_owned = token.user is not None and not token.user.is_active
    return (
        "The owner of this token is no longer allowed to sign in." if is_owned else ""
    )


def _note_use(token: ApiToken, now: datetime) -> None:
    if token.last_used_at is None or now - token.last_used_at > _USED_RESOLUTION:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def _principal(token: ApiToken) -> Principal:
    """A token never exceeds its owner; without an owner its scopes decide.

    Jobs belong to the name they were asked in, so it has what nobody can choose.
    """
    roles = [_SCOPE_ROLES[ApiToken.Scope(scope)] for scope in token.scopes]
    role = max(roles, default=Role.NONE)
    owner = principal_of_user(token.user) if token.user is not None else None
    if owner is not None:
        role = min(role, owner.role)
    limits = frozenset(token.products.values_list("pk", flat=True))
    return Principal(
        name=f"token {token}",
        role=role,
        user_id=token.user_id if role < Role.ADMIN else None,
        is_everywhere=owner is not None and owner.is_admin,
        product_ids=limits if limits or token.is_limited else None,
        scopes=frozenset(token.scopes) | {ApiToken.Scope.READ},
        user_name=token.user.get_username() if token.user is not None else "",
    )


def revoke_token(*, prefix: str) -> ApiToken:
    """Revoke the token whose prefix begins with this, with or without a final `…`.

    Raises NotFound for none, Conflict for several.
    """
    beginning = prefix.strip().removesuffix("…").removesuffix("...")
    active = ApiToken.objects.filter(is_revoked=False)
    found = list(active.filter(prefix__startswith=beginning)) if beginning else []
    if not found:
        raise NotFound(
            gettext("No active token begins with '%(prefix)s'.") % {"prefix": prefix}
        )
    if len(found) > 1:
        raise Conflict(
            gettext(
                "Several tokens begin with '%(prefix)s': %(tokens)s. Enter more "
                "characters."
            )
            % {"prefix": prefix, "tokens": ", ".join(map(str, found))}
        )
    return end_token(token=found[0])


@transaction.atomic
def end_token(*, token: ApiToken) -> ApiToken:
    """Revoke a token, at once and for good."""
    ended = ApiToken.objects.filter(pk=token.pk, is_revoked=False)
    if ended.update(is_revoked=True):
        owner = token.user.get_username() if token.user is not None else ""
        record_event("token.revoked", target=str(token), details={"owner": owner})
    token.is_revoked = True
    return token
