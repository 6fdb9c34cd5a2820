"""How long events are kept. The database lets nothing else delete them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from devrag.audit.models import AuditEvent

_PORTION = 5_000
# The trigger looks at the age again, by this setting of the transaction.
_ALLOW = "SELECT set_config('devrag.audit_retention_days', %s, true)"
_DELETE = """
DELETE FROM audit_auditevent WHERE id IN (
    SELECT id FROM audit_auditevent
    WHERE at < now() - make_interval(days => %s) ORDER BY at LIMIT %s
)
"""


def old_events() -> QuerySet[AuditEvent]:
    """Return the events that are kept no longer; none where all are kept."""
    days = settings.AUDIT_RETENTION_DAYS
    if not days:
        return AuditEvent.objects.none()
    return AuditEvent.objects.filter(at__lt=timezone.now() - timedelta(days=days))


def delete_old_events() -> Iterator[int]:
    """Delete them in portions, each a short transaction; yield how many went."""
    days = settings.AUDIT_RETENTION_DAYS
    while days:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_ALLOW, [str(days)])
            cursor.execute(_DELETE, [days, _PORTION])
            count = cursor.rowcount
        if not count:
            return
        yield count
