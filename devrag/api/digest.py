"""The weekly digest of a product: where it goes, what it tells, a test."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, ClassVar, Literal

from django.contrib.auth import get_user_model
from django.http import HttpRequest
from ninja import Field, Router

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import ADMIN, NO_NUL, WIKI, Request, caller
from devrag.api.products import find_product
from devrag.api.sample_values import TIME
from devrag.use_cases.api import (
    change_digest,
    describe_digest,
    get_digest_options,
    preview_digest,
    send_again,
    send_test_digest,
)

router = Router(tags=["products"], by_alias=True)
Channel = Literal["", "webhook", "email"]
State = Literal["pending", "sending", "sent", "empty", "failed", "unconfirmed"]
_Text = Annotated[str, Field(max_length=320, pattern=NO_NUL)]


class DeliveryOut(JsonSchema):
    """The status of a week's digest. week: its Monday."""

    week: date
    state: State = Field(
        description=(
            "unconfirmed: it may have been delivered and is not sent again "
            "automatically."
        )
    )
    attempts: int
    sent_at: datetime | None
    next_try_at: datetime | None
    error: str

    EXAMPLE: ClassVar = {
        "week": "2026-11-16",
        "state": "sent",
        "attempts": 1,
        "sentAt": TIME,
        "nextTryAt": None,
        "error": "",
    }


class DigestOut(JsonSchema):
    """The settings of a digest. channel: '' for none."""

    channel: Channel
    recipients: list[str]
    webhook_host: str
    is_email_set_up: bool = Field(description="Whether this server can send email.")
    secret: str = Field(description="Signs the webhook; only returned when it is new.")
    last: DeliveryOut | None

    EXAMPLE: ClassVar = {
        "channel": "webhook",
        "recipients": [],
        "webhookHost": "chat.example.com",
        "isEmailSetUp": False,
        "secret": "",
        "last": DeliveryOut.EXAMPLE,
    }


class DigestChange(Request):
    """Where a digest goes. webhook: '' keeps the address that is stored."""

    channel: Channel
    recipients: list[_Text] = Field([], max_length=50)
    webhook: Annotated[str, Field(max_length=2000, pattern=NO_NUL)] = ""

    EXAMPLE: ClassVar = {
        "channel": "webhook",
        "recipients": [],
        "webhook": "https://chat.example.com/hooks/abc",
    }


class DigestEntryOut(JsonSchema):
    """A line of a section."""

    text: str
    url: str

    EXAMPLE: ClassVar = {
        "text": "backend-api: 12 commits changed 30 files",
        "url": "https://devrag.example/p/shop/s/backend-api/",
    }


class DigestSectionOut(JsonSchema):
    """Events of one kind. count: their total number; entries: the first."""

    key: Literal["changes", "conflicts", "outdated", "stalePages", "unanswered"]
    title: str
    count: int
    entries: list[DigestEntryOut]
    url: str

    EXAMPLE: ClassVar = {
        "key": "changes",
        "title": "What changed",
        "count": 1,
        "entries": [DigestEntryOut.EXAMPLE],
        "url": "",
    }


class DigestPreviewOut(JsonSchema):
    """A digest as sent to a webhook. since, until: first and last day."""

    product: str
    title: str
    language: str
    since: date
    until: date
    url: str
    sections: list[DigestSectionOut]

    EXAMPLE: ClassVar = {
        "product": "shop",
        "title": "The shop",
        "language": "en",
        "since": "2026-11-16",
        "until": "2026-11-22",
        "url": "https://devrag.example/p/shop/",
        "sections": [DigestSectionOut.EXAMPLE],
    }


class SentOut(JsonSchema):
    """The recipient of a test: an email address, or the host of the webhook."""

    sent_to: str

    EXAMPLE: ClassVar = {"sentTo": "chat.example.com"}


@router.get(
    "/{int:productID}/digest",
    auth=WIKI,
    response={200: DigestOut, **describe_errors(404)},
)
def get_digest(request: HttpRequest, productID: int) -> dict[str, Any]:
    """Return the settings of the weekly digest (maintainers only)."""
    product = find_product(caller(request), productID)
    return describe_digest(get_digest_options(caller(request), product))


@router.put(
    "/{int:productID}/digest",
    auth=ADMIN,
    response={200: DigestOut, **describe_errors(404, 413, 415)},
)
def set_digest(
    request: HttpRequest, productID: int, body: DigestChange
) -> dict[str, Any]:
    """Change the weekly digest; the secret of a new webhook is returned once."""
    product = find_product(caller(request), productID)
    found = change_digest(
        principal=caller(request), product=product, **body.model_dump()
    )
    return describe_digest(found)


@router.get(
    "/{int:productID}/digest/preview",
    auth=WIKI,
    response={200: DigestPreviewOut, **describe_errors(404)},
)
def get_digest_preview(request: HttpRequest, productID: int) -> dict[str, Any]:
    """Return the digest of the last seven days (maintainers only)."""
    product = find_product(caller(request), productID)
    return preview_digest(caller(request), product).as_json()


@router.post(
    "/{int:productID}/digest/test",
    auth=ADMIN,
    response={200: SentOut, **describe_errors(404, 409, 502)},
)
def send_digest_test(request: HttpRequest, productID: int) -> dict[str, Any]:
    """Send the digest of the last seven days, by email to the token's user."""
    principal = caller(request)
    product = find_product(principal, productID)
    users = get_user_model().objects.filter(pk=principal.user_id or 0)
    to = users.values_list("email", flat=True).first() or ""
    return {"sentTo": send_test_digest(principal=principal, product=product, to=to)}


@router.post(
    "/{int:productID}/digest/retry",
    auth=ADMIN,
    response={200: DigestOut, **describe_errors(404, 409)},
)
def retry_digest(request: HttpRequest, productID: int) -> dict[str, Any]:
    """Send the latest digest again that failed or may not have been delivered."""
    product = find_product(caller(request), productID)
    send_again(principal=caller(request), product=product)
    return describe_digest(get_digest_options(caller(request), product))
