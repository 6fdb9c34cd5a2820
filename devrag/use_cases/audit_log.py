"""Read the audit log: administrators all of it, maintainers what is of their products.

Tokens need the scope admin. Of a source that only some members may see, the others see
no events either.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import asdict

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from devrag.audit.api import (
    EventFilter,
    csv_header,
    filter_events,
    read_in_pages,
    record_event,
    to_csv,
    to_json_lines,
)
from devrag.audit.models import AuditEvent
from devrag.core.errors import InvalidInput, PermissionDenied
from devrag.core.principal import Principal
from devrag.core.threads import DatabaseThreads
from devrag.products.limits import hidden_limits
from devrag.products.models import Product
from devrag.products.services import get_maintained_product

_THREADS = DatabaseThreads("audit", 2)
# Each format: what comes first, and what is made of events.
_FORMATS: dict[str, tuple[str, Callable[[Iterable[AuditEvent]], str]]] = {
    "csv": (csv_header(), to_csv),
    "jsonl": ("", to_json_lines),
}
AUDIT_FILES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl"}


def list_events(principal: Principal, wanted: EventFilter) -> QuerySet[AuditEvent]:
    """Return the events that a caller may see and asks for, newest first.

    Raises PermissionDenied for who maintains nothing, NotFound for a product of the
    filter that the caller may not see.
    """
    return filter_events(_visible_to(principal, wanted.product), wanted)


def _visible_to(principal: Principal, product_name: str) -> QuerySet[AuditEvent]:
    rows = AuditEvent.objects.all()
    if principal.may("admin") and principal.is_admin and principal.product_ids is None:
        return rows  # also of products that are gone
    if not principal.may("admin"):
        raise _refusal(principal)
    if product_name:
        product = get_maintained_product(product_name, principal)
        maintained = Product.objects.filter(pk=product.pk)
    else:
        maintained = Product.objects.maintained_by(principal)
        if not maintained.exists():
            raise _refusal(principal)
    hidden = hidden_limits(principal).values("source_id")
    is_shown = Q(source_id=None) | ~Q(source_id__in=hidden)
    return rows.filter(is_shown, product_id__in=maintained.values("pk"))


def _refusal(principal: Principal) -> PermissionDenied:
    return PermissionDenied(
        gettext(
            "%(who)s may not read the audit log. Administrators and maintainers of a "
            "product may; a token needs the scope 'admin'."
        )
        % {"who": principal.name}
    )


@transaction.atomic
def export_events(
    *, principal: Principal, wanted: EventFilter, kind: str
) -> AsyncIterator[bytes]:
    """Return the events as a file, read while it is sent. kind: `csv` or `jsonl`.

    Raises what list_events raises, and InvalidInput for another kind.
    """
    if kind not in _FORMATS:
        raise InvalidInput(gettext("The audit log is exported as csv or jsonl."))
    rows = list_events(principal, wanted)
    product = Product.objects.filter(name=wanted.product).first()
    asked = {key: str(value) for key, value in asdict(wanted).items() if value}
    record_event(
        "audit.exported",
        principal=principal,
        product=product,
        details={"format": kind, **asked},
    )
    return _stream(rows, kind)


async def _stream(rows: QuerySet[AuditEvent], kind: str) -> AsyncIterator[bytes]:
    head, write = _FORMATS[kind]
    yield head.encode()
    pages = read_in_pages(rows)
    while page := await _THREADS.run(next, pages, None):
        yield write(page).encode()
