"""Documents that may be outdated, as pages show them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from devrag.core.page_urls import file_url
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.products.services import may_maintain
from devrag.sources.selectors import CURRENT_VERSION
from devrag.wiki.api import outdated_file, outdated_of
from devrag.wiki.models import OutdatedCitation, OutdatedDocument

MOST_SHOWN, MOST_CODE = 100, 8


@dataclass(frozen=True, slots=True)
class ChangedCode:
    """Code that a document names. line_url: where it names it, at `line`."""

    url: str
    symbol: str
    path: str
    lines: int
    changes: int
    commit: str
    changed_at: datetime
    line: int
    line_url: str


@dataclass(frozen=True, slots=True)
class OutdatedView:
    """A document that may be outdated. hidden: how much more code changed."""

    id: int
    url: str
    name: str
    path: str
    is_checked: bool
    written_at: datetime
    is_older: bool
    changed_at: datetime
    lines: int
    code: tuple[ChangedCode, ...]
    hidden: int
    checked_by: str
    checked_at: datetime | None


@dataclass(frozen=True, slots=True)
class OutdatedPage:
    """The documents of a product in one state. total: of that state."""

    rows: tuple[OutdatedView, ...]
    total: int
    state: str
    may_maintain: bool


def get_outdated(product: Product, principal: Principal, state: str) -> OutdatedPage:
    """Return the documents of a state; another word counts as none given."""
    known = OutdatedDocument.State
    wanted = known.CHECKED if state == known.CHECKED else known.OPEN
    rows = outdated_of(product, principal, state=wanted)
    return OutdatedPage(
        rows=tuple(_see(product, row) for row in rows[:MOST_SHOWN]),
        total=rows.count(),
        state=wanted,
        may_maintain=may_maintain(principal, product),
    )


def outdated_at(
    product: Product, principal: Principal, source_id: int, path: str
) -> OutdatedView | None:
    """Return what changed under a file that may be outdated. Queries: 1 or 2."""
    row = outdated_file(product, principal, source_id, path)
    return _see(product, row) if row else None


def _see(product: Product, row: OutdatedDocument) -> OutdatedView:
    url = file_url(product.name, row.source.name, CURRENT_VERSION, row.path)
    citations = list(row.citations.all())
    return OutdatedView(
        id=row.pk,
        url=url,
        name=row.title or row.path,
        path=row.path,
        is_checked=row.state == OutdatedDocument.State.CHECKED,
        written_at=row.written_at,
        is_older=row.is_older,
        changed_at=row.changed_at,
        lines=row.lines,
        code=tuple(_code(product, row, citations[:MOST_CODE])),
        hidden=max(0, len(citations) - MOST_CODE),
        checked_by=row.checked_by,
        checked_at=row.checked_at,
    )


def _code(
    product: Product, row: OutdatedDocument, citations: Iterable[OutdatedCitation]
) -> Iterable[ChangedCode]:
    for each in citations:
        where = (product.name, row.source.name, CURRENT_VERSION, row.path)
        yield ChangedCode(
            url=file_url(product.name, each.source.name, CURRENT_VERSION, each.path),
            symbol=each.symbol,
            path=each.path,
            lines=each.lines,
            changes=each.changes,
            commit=each.commit[:8],
            changed_at=each.changed_at,
            line=each.line,
            line_url=file_url(*where, each.line),
        )
