"""Make, find and revoke API tokens."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from devrag.access.doors import principal_of_user
from devrag.access.models import ApiToken
from devrag.core.errors import InvalidInput
from devrag.core.hashing import sha256_hex
from devrag.core.principal import Principal, Role
from devrag.products.models import Product

_PREFIX = "devrag_"
_SCOPE_ROLES = {
    ApiToken.Scope.READ: Role.VIEWER,
    ApiToken.Scope.INDEX: Role.MAINTAINER,
    ApiToken.Scope.WIKI: Role.MAINTAINER,
    ApiToken.Scope.ADMIN: Role.ADMIN,
}
_USED_RESOLUTION = timedelta(minutes=1)


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
            f"Scope '{', '.join(unknown) or 'none'}' is unknown; use one or more of "
            f"{', '.join(ApiToken.Scope.values)}."
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
    return token, secret


def principal_of_token(secret: str) -> Principal | None:
    """Return whom a Bearer secret stands for; None when unknown, expired or revoked."""
    now = timezone.now()
    token = (
        ApiToken.objects.select_related("user")
        .filter(Q(expires_at=None) | Q(expires_at__gt=now), is_revoked=False)
        .filter(sha256=sha256_hex(secret))
        .first()
    )
    if token is None or (token.user is not None and not token.user.is_active):
        return None
    _note_use(token, now)
    return _principal(token)


def _note_use(token: ApiToken, now: datetime) -> None:
    if token.last_used_at is None or now - token.last_used_at > _USED_RESOLUTION:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def _principal(token: ApiToken) -> Principal:
    """A token never exceeds its owner; without an owner its scopes decide."""
    roles = [_SCOPE_ROLES[ApiToken.Scope(scope)] for scope in token.scopes]
    role = max(roles, default=Role.NONE)
    owner = principal_of_user(token.user) if token.user is not None else None
    if owner is not None:
        role = min(role, owner.role)
    limits = frozenset(token.products.values_list("pk", flat=True))
    return Principal(
        name=f"token {token.name}",
        role=role,
        user_id=token.user_id if role < Role.ADMIN else None,
        is_everywhere=owner is not None and owner.is_admin,
        product_ids=limits if limits or token.is_limited else None,
        scopes=frozenset(token.scopes) | {ApiToken.Scope.READ},
    )


def revoke_token(*, prefix: str) -> int:
    """Revoke tokens by the prefix that lists show; return how many."""
    return ApiToken.objects.filter(prefix=prefix, is_revoked=False).update(
        is_revoked=True
    )
