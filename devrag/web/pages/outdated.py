"""Documents that may be outdated, as pages show them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from devrag.core.page_urls import file_url
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.products.services import may_maintain
from devrag.sources.models import Symbol
from devrag.sources.selectors import CURRENT_VERSION
from devrag.wiki.api import outdated_file, outdated_of, outdated_on_page
from devrag.wiki.models import OutdatedCitation, OutdatedDocument, Page

MOST_SHOWN, MOST_CODE = 100, 8
# Source, path and qualified name of a definition → its first line.
Lines = dict[tuple[int, str, str], int]


@dataclass(frozen=True, slots=True)
class ChangedCode:
    """Code that a document names. url: of the definition as it is now, or the file.

    line_url: where the document names it, at `line`.
    """

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
    shown = list(rows[:MOST_SHOWN])
    lines = _lines_of(shown)
    return OutdatedPage(
        rows=tuple(_see(product, row, lines) for row in shown),
        total=rows.count(),
        state=wanted,
        may_maintain=may_maintain(principal, product),
    )


def outdated_at(
    product: Product, principal: Principal, source_id: int, path: str
) -> OutdatedView | None:
    """Return what changed under a file that may be outdated. Queries: 1 or 3."""
    row = outdated_file(product, principal, source_id, path)
    return _see(product, row, _lines_of([row])) if row else None


@dataclass(frozen=True, slots=True)
class QuotedDocument:
    """A document that a wiki page quotes and that may be outdated."""

    name: str
    url: str


def outdated_quoted(
    product: Product, principal: Principal, page: Page
) -> tuple[QuotedDocument, ...]:
    """Return the documents that a wiki page cites and that may be outdated. Queries: 2.

    The second only where there are any.
    """
    return tuple(
        QuotedDocument(
            row.title or row.path,
            file_url(product.name, row.source.name, CURRENT_VERSION, row.path),
        )
        for row in outdated_on_page(product, principal, page)
    )


def _lines_of(rows: Iterable[OutdatedDocument]) -> Lines:
    """Return where the definitions that changed are now. Queries: 1."""
    wanted = {
        (each.source_id, each.path, each.symbol)
        for row in rows
        for each in list(row.citations.all())[:MOST_CODE]
        if each.symbol
    }
    symbols = Symbol.objects.filter(
        source__in={source for source, _, _ in wanted},
        name__in={symbol.rpartition(".")[2] for _, _, symbol in wanted},
        file__path__in={path for _, path, _ in wanted},
        file__manifests__until=None,
        file__manifests__ref__is_current=True,
    )
    columns = ("source_id", "file__path", "qualified_name", "start_line")
    found = symbols.order_by("-start_line").values_list(*columns)
    return {(source, path, name): line for source, path, name, line in found}


def _see(product: Product, row: OutdatedDocument, lines: Lines) -> OutdatedView:
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
        code=tuple(_code(product, row, citations[:MOST_CODE], lines)),
        hidden=max(0, len(citations) - MOST_CODE),
        checked_by=row.checked_by,
        checked_at=row.checked_at,
    )


def _code(
    product: Product,
    row: OutdatedDocument,
    citations: Iterable[OutdatedCitation],
    lines: Lines,
) -> Iterable[ChangedCode]:
    for each in citations:
        where = (product.name, row.source.name, CURRENT_VERSION, row.path)
        code = (product.name, each.source.name, CURRENT_VERSION, each.path)
        start = lines.get((each.source_id, each.path, each.symbol), 0)
        yield ChangedCode(
            url=file_url(*code, start),
            symbol=each.symbol,
            path=each.path,
            lines=each.lines,
            changes=each.changes,
            commit=each.commit[:8],
            changed_at=each.changed_at,
            line=each.line,
            line_url=file_url(*where, each.line),
        )
