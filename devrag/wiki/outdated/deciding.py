"""List documents that may be outdated, and let maintainers say that one is right."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import NotFound
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.sources.models import Source
from devrag.wiki.models import Claim, Page
from devrag.wiki.outdated_models import OutdatedCitation, OutdatedDocument
from devrag.wiki.publishing.history import check_may_write

State = OutdatedDocument.State


def outdated_of(
    product: Product, principal: Principal, *, state: str = ""
) -> QuerySet[OutdatedDocument]:
    """Return the documents that a reader may see, those with most changes first.

    With the citations of code that the reader may see as well. Queries: 2.
    """
    seen = Source.objects.within_limits(principal).filter(product=product)
    citations = OutdatedCitation.objects.filter(source__in=seen)
    rows = OutdatedDocument.objects.filter(
        Exists(citations.filter(document=OuterRef("pk"))),
        product=product,
        source__in=seen,
    )
    if state:
        rows = rows.filter(state=state)
    shown = citations.select_related("source").order_by("-lines", "pk")
    return (
        rows.select_related("source")
        .prefetch_related(Prefetch("citations", shown))
        .order_by("-lines", "-pk")
    )


def outdated_file(
    product: Product, principal: Principal, source_id: int, path: str
) -> OutdatedDocument | None:
    """Return what is open of one document. Queries: 1 or 2."""
    rows = outdated_of(product, principal, state=State.OPEN)
    return rows.filter(source=source_id, path=path).first()


def outdated_on_page(
    product: Product, principal: Principal, page: Page
) -> QuerySet[OutdatedDocument]:
    """Return the open documents whose lines a wiki page cites. Queries: 2."""
    cited = Claim.objects.filter(
        page=page, source_name=OuterRef("source__name"), path=OuterRef("path")
    )
    rows = outdated_of(product, principal, state=State.OPEN)
    return rows.filter(Exists(cited)).order_by("path", "pk")


def find_outdated_document(
    product: Product, principal: Principal, document_id: int
) -> OutdatedDocument:
    """Return a document that a reader may see. Raises NotFound."""
    row = outdated_of(product, principal).filter(pk=document_id).first()
    if row is None:
        raise NotFound(
            gettext("'%(product)s' has no such outdated document.")
            % {"product": product.name}
        )
    return row


@transaction.atomic
def check_document(
    *, principal: Principal, product: Product, document_id: int, is_right: bool
) -> OutdatedDocument:
    """Keep that a document is still right, or no longer; until its code changes again.

    Raises NotFound, PermissionDenied.
    """
    row = find_outdated_document(product, principal, document_id)
    check_may_write(principal, product)
    row.state = State.CHECKED if is_right else State.OPEN
    row.checked_change = row.newest_change if is_right else 0
    row.checked_by, row.checked_at = principal.name[:150], timezone.now()
    row.save(update_fields=["state", "checked_change", "checked_by", "checked_at"])
    record_event(
        "document.checked",
        principal=principal,
        product=product,
        source_id=row.source_id,
        target=row.path,
        details={"isRight": is_right},
    )
    return row
