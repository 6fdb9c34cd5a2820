"""What maintainers choose of a product's digest, and what they see of it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from devrag.access.preferences import language_of_addresses
from devrag.audit.api import record_event
from devrag.core.encryption import encrypt_secrets
from devrag.core.errors import Conflict, InvalidInput
from devrag.core.principal import Principal
from devrag.products.models import DigestDelivery, Product, WeeklyDigest
from devrag.products.services import get_maintained_product
from devrag.sources.api import (
    check_webhook,
    make_webhook_secret,
)
from devrag.sources.services import address_rules
from devrag.use_cases.digest.contents import Digest, build_digest
from devrag.use_cases.digest.sending import send_test

_MOST_RECIPIENTS = 50
Channel = WeeklyDigest.Channel
State = DigestDelivery.State


@dataclass(frozen=True, slots=True)
class DigestOptions:
    """What is chosen, and what became of the newest delivery, None before the first.

    secret: signs the webhook's messages; only told when it is new.
    """

    channel: str
    recipients: tuple[str, ...]
    webhook_host: str
    is_email_set_up: bool
    last: DigestDelivery | None
    secret: str = ""


def get_digest_options(
    principal: Principal, product: Product, secret: str = ""
) -> DigestOptions:
    """Return what is chosen of a product's digest. Raises PermissionDenied."""
    get_maintained_product(product.name, principal)
    row = WeeklyDigest.objects.filter(product=product).first()
    deliveries = DigestDelivery.objects.filter(product=product)
    return DigestOptions(
        channel=row.channel if row else "",
        recipients=tuple(row.recipients) if row else (),
        webhook_host=row.host if row else "",
        is_email_set_up=bool(settings.EMAIL_HOST),
        last=deliveries.order_by("-week").first(),
        secret=secret,
    )


@transaction.atomic
def change_digest(
    *,
    principal: Principal,
    product: Product,
    channel: str,
    recipients: Sequence[str] = (),
    webhook: str = "",
) -> DigestOptions:
    """Choose where a digest goes: '' for nowhere, `webhook` or `email`.

    webhook: an address, '' for the one that is stored. Whenever one is given it gets a
    new secret, which the answer tells. Raises InvalidInput, PermissionDenied.
    """
    get_maintained_product(product.name, principal)
    row = WeeklyDigest.objects.select_for_update().filter(product=product).first()
    row = row or WeeklyDigest(product=product, begins_at=timezone.now())
    if channel not in Channel.values:
        raise InvalidInput(gettext("Choose webhook or email for the digest."))
    secret = ""
    if channel == Channel.WEBHOOK:
        secret = _set_webhook(row, webhook.strip())
    if channel == Channel.EMAIL:
        row.recipients = _checked(recipients)
    if channel and not row.channel:
        row.begins_at = timezone.now()
    row.channel = channel
    row.save()
    record_event(
        "digest.changed",
        principal=principal,
        product=product,
        details={
            "channel": channel or "off",
            "host": row.host if channel == Channel.WEBHOOK else "",
            "recipients": len(row.recipients) if channel == Channel.EMAIL else 0,
        },
    )
    return get_digest_options(principal, product, secret)


def _set_webhook(row: WeeklyDigest, url: str) -> str:
    """Keep an address; return its new secret, '' where none is given."""
    if not url and row.target is None:
        raise InvalidInput(gettext("Enter the URL of the webhook."))
    if not url:
        return ""
    row.host = check_webhook(url, address_rules())
    secret = make_webhook_secret()
    row.target = encrypt_secrets({"url": url, "secret": secret})
    return secret


def _checked(recipients: Sequence[str]) -> list[str]:
    if not settings.EMAIL_HOST:
        raise InvalidInput(
            gettext(
                "Email is not set up on this server. Ask an administrator to set it "
                "up (setting EMAIL_HOST)."
            )
        )
    found = list(dict.fromkeys(each.strip() for each in recipients if each.strip()))
    if not 0 < len(found) <= _MOST_RECIPIENTS:
        raise InvalidInput(
            gettext("Enter 1 to %(most)s email addresses.") % {"most": _MOST_RECIPIENTS}
        )
    for each in found:
        try:
            validate_email(each)
        except ValidationError as error:
            raise InvalidInput(
                gettext("'%(address)s' is not a valid email address.")
                % {"address": each[:80]}
            ) from error
    return found


def preview_digest(
    principal: Principal, product: Product, language: str = ""
) -> Digest:
    """Return the digest of the last seven days. Raises PermissionDenied.

    language: of the texts; empty: the wiki's.
    """
    get_maintained_product(product.name, principal)
    return build_digest(product, timezone.now(), language)


def send_test_digest(*, principal: Principal, product: Product, to: str = "") -> str:
    """Send the digest of the last seven days now; return where it went.

    to: an e-mail address of who asks, for the channel `email`. Raises Conflict where no
    channel is chosen, and what sending raises.
    """
    language = language_of_addresses([to]).get(to, "")
    digest = preview_digest(principal, product, language)
    row = WeeklyDigest.objects.filter(product=product).exclude(channel="").first()
    if row is None:
        raise Conflict(gettext("Choose how the digest is sent first."))
    if row.channel == Channel.EMAIL and not to:
        raise Conflict(gettext("Your account has no email address."))
    send_test(row, digest, f"digest-test-{uuid.uuid4()}", to)
    with transaction.atomic():
        found = {"channel": row.channel, "isTest": True}
        record_event("digest.sent", principal=principal, product=product, details=found)
    return to if row.channel == Channel.EMAIL else row.host


@transaction.atomic
def send_again(*, principal: Principal, product: Product) -> DigestDelivery:
    """Let the newest digest that failed, or may not have arrived, be sent once more.

    Raises Conflict where there is none.
    """
    get_maintained_product(product.name, principal)
    rows = DigestDelivery.objects.select_for_update().filter(product=product)
    row = rows.order_by("-week").first()
    if row is None or row.state not in {State.FAILED, State.UNCONFIRMED}:
        raise Conflict(gettext("There is no failed digest."))
    row.state, row.attempts, row.next_try_at = State.PENDING, 0, timezone.now()
    row.save(update_fields=["state", "attempts", "next_try_at"])
    found = {"week": row.week.isoformat(), "isTest": False}
    record_event("digest.sent", principal=principal, product=product, details=found)
    return row


def describe_digest(found: DigestOptions) -> dict[str, Any]:
    """Return what is chosen, for programs."""
    last = found.last
    return {
        "channel": found.channel,
        "recipients": list(found.recipients),
        "webhookHost": found.webhook_host,
        "isEmailSetUp": found.is_email_set_up,
        "secret": found.secret,
        "last": last
        and {
            "week": last.week,
            "state": last.state,
            "attempts": last.attempts,
            "sentAt": last.sent_at,
            "nextTryAt": last.next_try_at if last.state == State.PENDING else None,
            "error": last.error,
        },
    }
