"""What mentions a file, page or ticket, and what it mentions, as its page lists it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from django.conf import settings

from devrag.core.page_urls import file_url
from devrag.core.principal import Principal
from devrag.mentions.api import Mentioned, SubjectPart, find_mentions, link_tickets
from devrag.products.models import Product
from devrag.sources.api import Change, file_history, owners_of
from devrag.sources.models import File, Source
from devrag.sources.selectors import CURRENT_VERSION

_CHANGES = 5


@dataclass(frozen=True, slots=True)
class MentionRow:
    """title: of a page or ticket, else ''. line_url: where the mention stands, at
    `line`; is_by: in this file, else in the one whose page it is.
    """

    source: str
    path: str
    title: str
    status: str
    is_ticket: bool
    is_closed: bool
    url: str
    line: int
    line_url: str
    written: str
    is_by: bool


@dataclass(frozen=True, slots=True)
class SubjectPiece:
    """A piece of a commit's subject. url: of the ticket that it names, else ''."""

    text: str
    url: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A commit that changed the file, with the tickets in its subject as links."""

    commit: str
    author: str
    committed_at: datetime
    subject: tuple[SubjectPiece, ...]


@dataclass(frozen=True, slots=True)
class MentionsPage:
    """owners: by CODEOWNERS. changes: the last ones of the file, the newest first."""

    tickets: tuple[MentionRow, ...]
    pages: tuple[MentionRow, ...]
    code: tuple[MentionRow, ...]
    owners: tuple[str, ...] = ()
    changes: tuple[ChangeRow, ...] = ()
    has_authors: bool = True

    @property
    def total(self) -> int:
        return len(self.tickets) + len(self.pages) + len(self.code)


def get_mentions(
    principal: Principal, product: Product, source: Source, file: File
) -> MentionsPage:
    """Return the mentions of a file that is current. Queries: as find_mentions()."""
    found = find_mentions(principal, product, file)
    ref = source.refs.filter(is_current=True).select_related("snapshot").first()
    commit = ref.snapshot.version_identifier if ref and ref.snapshot else ""
    repos_dir = Path(settings.GIT_CLONE_DIR)
    to_row = partial(_row, product.name, source.name, file.path)
    return MentionsPage(
        tickets=_rows(found.tickets, to_row),
        pages=_rows(found.pages, to_row),
        code=_rows(found.code, to_row),
        owners=owners_of(source, file.path) if settings.SHOW_AUTHORS else (),
        changes=_changes(
            principal,
            product,
            source,
            file_history(source, commit, file.path, repos_dir=repos_dir, most=_CHANGES),
        ),
        has_authors=settings.SHOW_AUTHORS,
    )


def _changes(
    principal: Principal, product: Product, source: Source, found: Sequence[Change]
) -> tuple[ChangeRow, ...]:
    """Return commits with links to the tickets that they name. Queries: ≤ 2."""
    subjects = [each.subject for each in found]
    linked = link_tickets(principal, product, source, subjects)
    return tuple(
        ChangeRow(
            commit=each.commit,
            author=each.author,
            committed_at=each.committed_at,
            subject=subject_pieces(product.name, parts),
        )
        for each, parts in zip(found, linked, strict=True)
    )


def subject_pieces(
    product: str, parts: Iterable[SubjectPart]
) -> tuple[SubjectPiece, ...]:
    """Return a commit's subject with links to the tickets in it."""
    return tuple(_piece(product, part) for part in parts)


def _piece(product: str, part: SubjectPart) -> SubjectPiece:
    if part.ticket is None:
        return SubjectPiece(part.text)
    file = part.ticket.file
    url = file_url(product, file.source.name, CURRENT_VERSION, file.path)
    return SubjectPiece(part.text, url, file.title)


def _rows(
    found: Iterable[Mentioned], to_row: partial[MentionRow]
) -> tuple[MentionRow, ...]:
    return tuple(to_row(each) for each in found)


def _row(product: str, source: str, path: str, each: Mentioned) -> MentionRow:
    other, document = each.file, each.document
    where = (other.source.name, other.path) if each.is_by else (source, path)
    return MentionRow(
        source=other.source.name,
        path=other.path,
        title=other.title if document else "",
        status=document.status if document else "",
        is_ticket=document is not None and document.kind == document.Kind.TICKET,
        is_closed=document is not None and document.is_closed,
        url=file_url(product, other.source.name, CURRENT_VERSION, other.path),
        line=each.line,
        line_url=file_url(product, where[0], CURRENT_VERSION, where[1], each.line),
        written=each.written,
        is_by=each.is_by,
    )
