"""A person's tokens as lines, and what a new one may be limited to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from devrag.access.models import ApiToken
from devrag.access.own_tokens import list_own_tokens
from devrag.core.principal import Principal
from devrag.products.models import Product

MAX_PRODUCTS = 200


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token in the list. state: active, expired or revoked."""

    pk: int
    name: str
    prefix: str
    scopes: tuple[str, ...]
    products: tuple[str, ...]
    is_limited: bool
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    state: str


def list_token_rows(principal: Principal) -> tuple[TokenRow, ...]:
    """Return the caller's tokens, the active ones first. Queries: 2."""
    rows = map(_row, list_own_tokens(principal))
    return tuple(sorted(rows, key=lambda row: row.state != "active"))


def _row(token: ApiToken) -> TokenRow:
    return TokenRow(
        pk=token.pk,
        name=token.name,
        prefix=token.prefix,
        scopes=tuple(token.scopes),
        products=tuple(product.name for product in token.products.all()),
        is_limited=token.is_limited,
        created_at=token.created_at,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
        state=token.state,
    )


def grantable_products(principal: Principal) -> Sequence[Product]:
    """Return the products a token of the caller may be limited to. Queries: 1."""
    visible = Product.objects.visible_to(principal)
    return list(visible.only("name", "title")[:MAX_PRODUCTS])
