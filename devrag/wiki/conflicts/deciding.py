"""List the conflicts that somebody may see, and let maintainers decide about them."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.sources.models import Source
from devrag.wiki.conflict_models import DocumentConflict
from devrag.wiki.models import Claim, Page, Wiki
from devrag.wiki.publishing.history import check_may_write
from devrag.wiki.publishing.notes import add_note

State = DocumentConflict.State
_MOST = 200
DECISIONS = (State.OPEN, State.OUTDATED, State.DISMISSED)


def conflicts_of(
    product: Product, principal: Principal, *, kind: str = "", state: str = ""
) -> QuerySet[DocumentConflict]:
    """Return the conflicts whose both sides a reader may see, open ones first."""
    seen = Source.objects.within_limits(principal).filter(product=product)
    rows = DocumentConflict.objects.filter(
        Q(code_source=None) | Q(code_source__in=seen),
        product=product,
        document_source__in=seen,
    )
    if kind:
        rows = rows.filter(kind=kind)
    if state:
        rows = rows.filter(state=state)
    sides = rows.select_related("document_source", "code_source", "product")
    return sides.order_by("document_path", "document_start", "pk")


def conflicts_of_file(
    product: Product, principal: Principal, source_id: int, path: str
) -> QuerySet[DocumentConflict]:
    """Return the open conflicts that a file is a side of."""
    return conflicts_of(product, principal, state=State.OPEN).filter(
        Q(document_source=source_id, document_path=path)
        | Q(code_source=source_id, code_path=path)
    )


def conflicts_of_page(
    product: Product, principal: Principal, page: Page
) -> list[DocumentConflict]:
    """Return the open conflicts about lines that a wiki page cites."""
    claims = Claim.objects.filter(page=page)
    paths = claims.values("path")
    about = Q(document_path__in=paths) | Q(code_path__in=paths)
    rows = list(
        conflicts_of(product, principal, state=State.OPEN).filter(about)[:_MOST]
    )
    if not rows:
        return []
    cited: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for source, path, start, end in claims.values_list(
        "source_name", "path", "start_line", "end_line"
    ):
        cited.setdefault((source, path), []).append((start, end))
    return [row for row in rows if _is_cited(row, cited)]


def _is_cited(
    row: DocumentConflict, cited: dict[tuple[str, str], list[tuple[int, int]]]
) -> bool:
    sides = [(row.document_source.name, row.document_path, row.document_start)]
    if row.code_source:
        sides.append((row.code_source.name, row.code_path, row.code_start))
    return any(
        start <= line <= end
        for source, path, line in sides
        for start, end in cited.get((source, path), ())
    )


def find_conflict(
    product: Product, principal: Principal, conflict_id: int
) -> DocumentConflict:
    """Return a conflict that a reader may see. Raises NotFound."""
    row = conflicts_of(product, principal).filter(pk=conflict_id).first()
    if row is None:
        raise NotFound(
            gettext("'%(product)s' has no such conflict.") % {"product": product.name}
        )
    return row


@transaction.atomic
def decide_conflict(
    *, principal: Principal, product: Product, conflict_id: int, state: str
) -> DocumentConflict:
    """Let a conflict be open, the documentation outdated, or no conflict for good.

    Outdated documentation gets a note on the wiki page that cites it, else on the
    first page. Raises InvalidInput for another state, NotFound, PermissionDenied.
    """
    row = find_conflict(product, principal, conflict_id)
    check_may_write(principal, product)
    if state not in DECISIONS:
        raise InvalidInput(
            gettext("Invalid state of a conflict. Use one of: %(states)s.")
            % {"states": ", ".join(DECISIONS)}
        )
    if state == State.OUTDATED and row.state != State.OUTDATED:
        _add_note(principal, product, row)
    row.state = state
    row.decided_by, row.decided_at = principal.name[:150], timezone.now()
    row.resolved_at = None
    row.save(update_fields=["state", "decided_by", "decided_at", "resolved_at"])
    record_event(
        "conflict.decided",
        principal=principal,
        product=product,
        source_id=row.document_source_id,
        target=row.document_path,
        details={"conflict": row.pk, "state": state},
    )
    return row


def _add_note(principal: Principal, product: Product, row: DocumentConflict) -> None:
    """Put a note on the page concerned; without a wiki there is none to put it on."""
    for wiki in Wiki.objects.filter(product=product).order_by("pk"):
        page = _page_of(wiki, row)
        if page:
            add_note(
                principal=principal,
                product=product,
                page_path=page,
                text=note_text(row),
                language=wiki.language,
            )


def _page_of(wiki: Wiki, row: DocumentConflict) -> str:
    pages = Page.objects.filter(version=wiki.current_id).order_by("ordinal")
    citing = pages.filter(
        claims__source_name=row.document_source.name, claims__path=row.document_path
    )
    paths = citing.values_list("path", flat=True)
    return paths.first() or pages.values_list("path", flat=True).first() or ""


def note_text(row: DocumentConflict) -> str:
    """Return what a note says of documentation that is outdated."""
    there = f"`{row.document_path}:{row.document_start}`"
    said = f"`{row.subject}`" + (f" = `{row.value}`" if row.value else "")
    if not row.actual:
        return gettext("%(place)s is outdated: the code no longer has %(said)s.") % {
            "place": there,
            "said": said,
        }
    return gettext(
        "%(place)s is outdated: it says %(said)s, the code has `%(actual)s`."
    ) % {"place": there, "said": said, "actual": row.actual.strip("`")}
