"""Send each product's digest once a week, in the face of failures.

A delivery is one row for a week. It is claimed before anything is sent and marked
after that; what was claimed by a process that ended is not sent again by itself, for
it may have arrived. What is known not to have arrived is tried again, ever later.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import structlog
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from devrag.core.errors import DevragError, SourceError
from devrag.products.models import DigestDelivery, Product, WeeklyDigest
from devrag.sources.api import Unconfirmed
from devrag.use_cases.digest.contents import WEEK, Digest, build_digest, monday_of
from devrag.use_cases.digest.recipients import send_to_recipients

_log = structlog.get_logger(__name__)

State = DigestDelivery.State
# After each failure; then it is given up.
_PAUSES = tuple(
    timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 720, 1440)
)
# Nothing that is sent takes longer.
_LEASE = timedelta(minutes=10)
_ENDED = gettext_noop(
    "The process ended while the digest was being sent; it may have been delivered."
)


def send_due_digests(now: datetime | None = None) -> int:
    """Send what is due; return how many were sent. Safe beside another one."""
    moment = now or timezone.now()
    _plan(moment)
    _recover(moment)
    due = DigestDelivery.objects.filter(state=State.PENDING, next_try_at__lte=moment)
    return sum(_deliver(pk, moment) for pk in due.values_list("pk", flat=True))


def _plan(now: datetime) -> None:
    """Make the deliveries of the week that ended last."""
    this_monday = datetime.combine(monday_of(now), time(), UTC)
    wanted = WeeklyDigest.objects.filter(begins_at__lt=this_monday).exclude(channel="")
    products = Product.objects.filter(digest__in=wanted)
    DigestDelivery.objects.bulk_create(
        [
            DigestDelivery(
                product=product,
                week=(this_monday - WEEK).date(),
                next_try_at=now,
            )
            for product in products
        ],
        ignore_conflicts=True,
    )


def _recover(now: datetime) -> None:
    lost = DigestDelivery.objects.filter(
        state=State.SENDING, claimed_at__lt=now - _LEASE
    )
    lost.update(state=State.UNCONFIRMED, error=_ENDED)


def _deliver(delivery_id: int, now: datetime) -> bool:
    claimed = _claim(delivery_id, now)
    if claimed is None:
        return False
    row, target, digest = claimed
    try:
        send_to_recipients(
            target,
            row.product,
            digest,
            _end_of_week(row),
            f"digest-{row.product_id}-{row.week}-{row.pk}",
        )
    except Unconfirmed as error:
        _end(row, State.UNCONFIRMED, error.message)
    except SourceError as error:
        _fail(row, now, error)
    except DevragError as error:
        _end(row, State.FAILED, error.message)
    else:
        _end(row, State.SENT)
        return True
    return False


def _end_of_week(row: DigestDelivery) -> datetime:
    return datetime.combine(row.week, time(), UTC) + WEEK


@transaction.atomic
def _claim(
    delivery_id: int, now: datetime
) -> tuple[DigestDelivery, WeeklyDigest, Digest] | None:
    """Take a delivery that is due, with what is to be sent; None for nothing to do."""
    rows = DigestDelivery.objects.select_for_update(skip_locked=True, of=("self",))
    row = (
        rows.filter(pk=delivery_id, state=State.PENDING, next_try_at__lte=now)
        .select_related("product__digest")
        .first()
    )
    if row is None:
        return None
    target: WeeklyDigest | None = getattr(row.product, "digest", None)
    if row.product.is_deleting or target is None or not target.channel:
        row.delete()
        return None
    if row.body is None:
        row.body = build_digest(row.product, _end_of_week(row)).as_json()
    digest = Digest.from_json(row.body)
    row.state = State.EMPTY if digest.is_empty else State.SENDING
    row.claimed_at, row.error = timezone.now(), ""
    row.attempts += 1
    row.save()
    return None if digest.is_empty else (row, target, digest)


def _fail(row: DigestDelivery, now: datetime, error: SourceError) -> None:
    """Try again later, as long as that can help."""
    if error.permanent or row.attempts > len(_PAUSES):
        _end(row, State.FAILED, error.message)
        return
    row.next_try_at = now + _PAUSES[row.attempts - 1]
    _end(row, State.PENDING, error.message)


def _end(row: DigestDelivery, state: str, error: str = "") -> None:
    row.state, row.error = state, error
    row.sent_at = timezone.now() if state == State.SENT else None
    row.save(update_fields=["state", "error", "sent_at", "next_try_at"])
    if error:
        _log.warning("digest_not_sent", product=row.product.name, reason=error)
