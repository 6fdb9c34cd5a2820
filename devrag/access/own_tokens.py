"""A person's own API tokens: never more than the person may, shown once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from devrag.access.models import ApiToken
from devrag.access.services import create_token, end_token
from devrag.core.errors import NotFound, PermissionDenied
from devrag.core.principal import Principal
from devrag.products.models import Product

Scope = ApiToken.Scope
MAX_DAYS = 3650


def list_own_tokens(principal: Principal) -> QuerySet[ApiToken]:
    """Return the caller's tokens, the usable ones first. Queries: 2 with products.

    The products of each are those that the caller may see, as everywhere.
    """
    return _with_products(principal).filter(user_id=_user_id(principal))


def list_token(principal: Principal, token: ApiToken) -> QuerySet[ApiToken]:
    """Return that token alone, as its owner's list has it. Queries: 2."""
    return _with_products(principal).filter(pk=token.pk)


def _with_products(principal: Principal) -> QuerySet[ApiToken]:
    visible = Product.objects.visible_to(principal)
    tokens = ApiToken.objects.prefetch_related(Prefetch("products", queryset=visible))
    return tokens.order_by("is_revoked", "-created_at")


def grantable_scopes(principal: Principal) -> tuple[Scope, ...]:
    """Return what the caller may hand on; `admin` is for administrators."""
    usual = (Scope.READ, Scope.INDEX, Scope.WIKI)
    return (*usual, Scope.ADMIN) if principal.is_admin else usual


def create_own_token(
    *,
    principal: Principal,
    name: str,
    scopes: Sequence[str],
    product_names: Sequence[str] = (),
    days: int | None = None,
    expires_by: datetime | None = None,
) -> tuple[ApiToken, str]:
    """Make a token of the caller; return it with its secret, never shown again.

    product_names: it is limited to these; none: all that the caller may see, then too.
    expires_by: when the token expires with which it is made, if with one.
    """
    user_id = _user_id(principal)
    if not set(scopes) <= set(grantable_scopes(principal)):
        raise PermissionDenied(
            gettext("Only an administrator can create a token with the scope admin.")
        )
    if lacking := [scope for scope in scopes if not principal.may(scope)]:
        raise PermissionDenied(
            gettext(
                "A token cannot grant the scope '%(lacking)s', because it does "
                "not have it."
            )
            % {"lacking": lacking[0]}
        )
    expiry = timezone.now() + timedelta(days=days) if days else None
    return create_token(
        name=name,
        scopes=scopes,
        user=User.objects.get(pk=user_id),
        products=_limits(principal, set(product_names)),
        expires_at=min(filter(None, (expiry, expires_by)), default=None),
    )


def _limits(principal: Principal, wanted: set[str]) -> list[Product]:
    """Return what a new token is limited to; the limits of the caller hold for it."""
    visible = Product.objects.visible_to(principal)
    if not wanted and principal.product_ids is not None:
        if products := list(visible):
            return products
        raise PermissionDenied(
            gettext("This token no longer has access to any product.")
        )
    products = list(visible.filter(name__in=wanted))
    if missing := sorted(wanted - {product.name for product in products}):
        raise NotFound(
            gettext("There is no product '%(name)s'.") % {"name": missing[0]}
        )
    return products


def revoke_own_token(*, principal: Principal, token_id: int) -> ApiToken:
    """End one of the caller's tokens; NotFound for those of others."""
    token = list_own_tokens(principal).filter(pk=token_id).first()
    if token is None:
        raise NotFound(gettext("Token not found. Reload the list."))
    return end_token(token=token)


def _user_id(principal: Principal) -> int:
    if principal.user_id is None:
        raise PermissionDenied(gettext("Sign in to see and create your tokens."))
    return principal.user_id
