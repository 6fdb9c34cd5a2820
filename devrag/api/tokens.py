"""A person's own tokens: never more than the token that asks, shown once."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Field, Router, Status

from devrag.access.models import ApiToken
from devrag.access.own_tokens import (
    MAX_DAYS,
    create_own_token,
    list_own_tokens,
    list_token,
    revoke_own_token,
)
from devrag.access.services import end_token
from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import ADMIN, NO_NUL, ProductName, Request, caller
from devrag.api.paging import Page, cut_page
from devrag.api.sample_values import TIME
from devrag.core.errors import MissingScope, PermissionDenied
from devrag.core.principal import Principal

router = Router(tags=["tokens"], by_alias=True)
Scope = Literal["read", "index", "wiki", "admin"]
_ONLY_ITSELF = (
    "it can only revoke itself and not create others. Manage your tokens in the "
    "browser under Settings → API tokens."
)


class TokenOut(JsonSchema):
    """A token. prefix: its beginning. productNames: its products, if limited.

    isThis: the calling token.
    """

    token_id: int
    name: str
    prefix: str
    scopes: list[str]
    is_limited: bool
    product_names: list[str]
    state: str = Field(description="active, expired or revoked")
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    is_this: bool

    EXAMPLE: ClassVar = {
        "tokenID": 4,
        "name": "gitlab",
        "prefix": "devrag_Xy12Ab",
        "scopes": ["index", "read"],
        "isLimited": True,
        "productNames": ["shop"],
        "state": "active",
        "createdAt": TIME,
        "expiresAt": None,
        "lastUsedAt": TIME,
        "isThis": True,
    }


class MadeToken(TokenOut):
    token: str = Field(description="The secret. It is returned only once.")

    EXAMPLE: ClassVar = {**TokenOut.EXAMPLE, "isThis": False, "token": "devrag_Xy12Ab…"}


class NewToken(Request):
    """What a new token may do: not more than the one that asks for it."""

    name: Annotated[str, Field(min_length=1, max_length=100, pattern=NO_NUL)]
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=4)]
    product_names: list[Annotated[ProductName, Field(min_length=1)]] = Field(
        [],
        max_length=200,
        description="Only these products; default: those of the calling token.",
    )
    days: int | None = Field(
        None, ge=1, le=MAX_DAYS, description="Default: the expiry of the calling token."
    )

    EXAMPLE: ClassVar = {
        "name": "gitlab",
        "scopes": ["index"],
        "productNames": ["shop"],
    }


@router.get("", response={200: list[TokenOut], **describe_errors()})
def list_tokens(
    request: HttpRequest, response: HttpResponse, page: Page
) -> list[dict[str, Any]]:
    """List this token; with the scope admin, all tokens of its owner, newest first."""
    own, principal = _this(request), caller(request)
    if own.user_id is not None and _manages_others(principal):
        rows = list_own_tokens(_owner(request, own))
    else:
        rows = list_token(principal, own)
    found = cut_page(request, response, rows, page, by=["-pk"])
    return [_describe(token, own) for token in found]


@router.post(
    "", auth=ADMIN, response={201: MadeToken, **describe_errors(404, 413, 415)}
)
def make_token(
    request: HttpRequest, body: NewToken, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Create a token for the same owner that expires no later (scope admin).

    A leaked token must not be able to extend its own lifetime.
    """
    _check_manages_others(caller(request))
    own = _this(request)
    made, secret = create_own_token(
        principal=_owner(request, own),
        name=body.name,
        scopes=body.scopes,
        product_names=body.product_names,
        days=body.days,
        expires_by=own.expires_at,
    )
    response["Location"] = f"/api/v1/tokens/{made.pk}"
    response["Cache-Control"] = "no-store"
    return Status(201, {**_describe(made, own), "token": secret})


@router.delete("/{int:tokenID}", response={200: TokenOut, **describe_errors(404)})
def revoke_token(request: HttpRequest, tokenID: int) -> dict[str, Any]:
    """Revoke this token; with the scope admin, also others of its owner.

    A leaked token must not be able to lock out its owner.
    """
    own, principal = _this(request), caller(request)
    if tokenID == own.pk:
        return _describe(end_token(token=list_token(principal, own).get()), own)
    _check_manages_others(principal)
    found = revoke_own_token(principal=_owner(request, own), token_id=tokenID)
    return _describe(found, own)


def _manages_others(principal: Principal) -> bool:
    return principal.may(ApiToken.Scope.ADMIN) and principal.product_ids is None


def _check_manages_others(principal: Principal) -> None:
    needed = ApiToken.Scope.ADMIN
    if not principal.may(needed):
        raise MissingScope(
            f"This token lacks the scope '{needed}', so {_ONLY_ITSELF}", needed
        )
    if principal.product_ids is not None:
        raise PermissionDenied(f"This token is limited to products: {_ONLY_ITSELF}")


def _this(request: HttpRequest) -> ApiToken:
    digest = request.token_digest  # type: ignore[attr-defined]
    return ApiToken.objects.get(sha256=digest)


def _owner(request: HttpRequest, own: ApiToken) -> Principal:
    """Return the caller with its user, which an administrator's token leaves out."""
    if own.user_id is None:
        raise PermissionDenied(
            "This token was created on the command line and has no owner. Use `devrag "
            "token` to list, create and revoke such tokens."
        )
    return replace(caller(request), user_id=own.user_id)


def _describe(token: ApiToken, own: ApiToken) -> dict[str, Any]:
    return {
        "tokenID": token.pk,
        "name": token.name,
        "prefix": token.prefix,
        "scopes": token.scopes,
        "isLimited": token.is_limited,
        "productNames": [product.name for product in token.products.all()],
        "state": token.state,
        "createdAt": token.created_at,
        "expiresAt": token.expires_at,
        "lastUsedAt": token.last_used_at,
        "isThis": token.pk == own.pk,
    }
