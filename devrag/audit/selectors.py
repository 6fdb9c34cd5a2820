"""Which events match a filter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Q, QuerySet

from devrag.audit.models import AuditEvent

_PAGE = 1_000


@dataclass(frozen=True, slots=True)
class EventFilter:
    """What is asked for; empty: everything.

    person: a user's name, or the name of a token or of whatever else acted, in full.
    action: one of ACTIONS, or what stands before its dot (`member`). product: its name,
    also of one that is gone. since: first moment; until: first moment that is out.
    """

    person: str = ""
    action: str = ""
    product: str = ""
    since: datetime | None = None
    until: datetime | None = None


def filter_events(
    rows: QuerySet[AuditEvent], wanted: EventFilter
) -> QuerySet[AuditEvent]:
    """Return the events that match, newest first."""
    if wanted.person:
        rows = rows.filter(Q(user_name=wanted.person) | Q(actor=wanted.person))
    if wanted.action and "." in wanted.action:
        rows = rows.filter(action=wanted.action)
    elif wanted.action:
        rows = rows.filter(action__startswith=f"{wanted.action}.")
    if wanted.product:
        rows = rows.filter(product_name=wanted.product)
    if wanted.since is not None:
        rows = rows.filter(at__gte=_in_utc(wanted.since))
    if wanted.until is not None:
        rows = rows.filter(at__lt=_in_utc(wanted.until))
    return rows.order_by("-id")


def _in_utc(moment: datetime) -> datetime:
    """PostgreSQL takes no offset beyond 15:59, as ISO 8601 may have."""
    try:
        return moment.astimezone(UTC)
    except OverflowError:  # hours from the first or the last day of the calendar
        return moment.replace(tzinfo=UTC)


def read_in_pages(rows: QuerySet[AuditEvent]) -> Iterator[list[AuditEvent]]:
    """Yield all of them, newest first, so many at a time; holds no transaction."""
    found = list(rows[:_PAGE])
    while found:
        yield found
        found = list(rows.filter(pk__lt=found[-1].pk)[:_PAGE])
