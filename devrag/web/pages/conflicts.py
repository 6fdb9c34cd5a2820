"""Conflicts between documents and code, as pages show both sides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext, gettext_noop, pgettext

from devrag.core.conflict_names import BEHAVIOUR, CONFLICT_KINDS, CONFLICT_STATES
from devrag.core.page_urls import file_url
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.products.services import may_maintain
from devrag.sources.selectors import CURRENT_VERSION
from devrag.wiki.api import conflicts_of, conflicts_of_file, conflicts_of_page
from devrag.wiki.models import DocumentConflict, Page

MOST_SHOWN, MOST_ON_A_PAGE = 100, 10
KIND_TITLES = {
    "default": gettext_noop("Default value"),
    "environment": gettext_noop("Environment variable"),
    "route": gettext_noop("Route"),
    "command": gettext_noop("Command"),
    "option": gettext_noop("Option"),
    "path": gettext_noop("File path"),
    "symbol": gettext_noop("Symbol"),
    "version": gettext_noop("Required version"),
    "port": gettext_noop("Port"),
    "behaviour": gettext_noop("Behavior"),
}
_DECIDED = {
    "outdated": gettext_noop("Documentation is outdated"),
    "dismissed": gettext_noop("Not a conflict"),
    "resolved": gettext_noop("Resolved"),
}


def _name_state(state: str) -> str:
    """Return what a state is called; an open one is not what a button opens."""
    return (
        gettext(_DECIDED[state]) if state in _DECIDED else pgettext("a state", "Open")
    )


@dataclass(frozen=True, slots=True)
class ConflictSide:
    """Lines of one side as they were read. label: path and line. date: may be None."""

    url: str
    label: str
    excerpt: str
    commit: str
    date: datetime | None


@dataclass(frozen=True, slots=True)
class ConflictView:
    """A conflict. said: what it is, in a sentence. code: None for nothing.

    is_by_model: a language model found it; reason: why, in its words.
    """

    id: int
    kind: str
    state: str
    state_title: str
    said: str
    document: ConflictSide
    code: ConflictSide | None
    owner: str
    decided_by: str
    is_by_model: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ConflictsPage:
    """The conflicts of a product. total: of this kind and state."""

    rows: tuple[ConflictView, ...]
    total: int
    kind: str
    state: str
    kinds: tuple[tuple[str, str], ...]
    states: tuple[tuple[str, str], ...]
    may_maintain: bool


def get_conflicts(
    product: Product, principal: Principal, kind: str, state: str
) -> ConflictsPage:
    """Return the conflicts of a kind and state; other words count as none given."""
    wanted_kind = kind if kind in CONFLICT_KINDS else ""
    wanted_state = state if state in CONFLICT_STATES else "open"
    rows = conflicts_of(product, principal, kind=wanted_kind, state=wanted_state)
    return ConflictsPage(
        rows=see_conflicts(product, rows[:MOST_SHOWN]),
        total=rows.count(),
        kind=wanted_kind,
        state=wanted_state,
        kinds=tuple((key, gettext(title)) for key, title in KIND_TITLES.items()),
        states=tuple((state, _name_state(state)) for state in ("open", *_DECIDED)),
        may_maintain=may_maintain(principal, product),
    )


def conflicts_on(
    product: Product, principal: Principal, page: Page
) -> tuple[ConflictView, ...]:
    """Return the open conflicts about lines that a wiki page cites. Queries: 1 or 2."""
    found = conflicts_of_page(product, principal, page)
    return see_conflicts(product, found[:MOST_ON_A_PAGE])


def conflicts_in_file(
    product: Product, principal: Principal, source_id: int, path: str
) -> tuple[ConflictView, ...]:
    """Return the open conflicts that a file is a side of. Queries: 1."""
    found = conflicts_of_file(product, principal, source_id, path)
    return see_conflicts(product, found[:MOST_ON_A_PAGE])


def see_conflicts(
    product: Product, rows: Iterable[DocumentConflict]
) -> tuple[ConflictView, ...]:
    """Return conflicts as pages show them."""
    return tuple(_see(product, row) for row in rows)


def _see(product: Product, row: DocumentConflict) -> ConflictView:
    return ConflictView(
        id=row.pk,
        kind=gettext(KIND_TITLES[row.kind]),
        state=row.state,
        state_title=_name_state(row.state),
        said=_sentence(row),
        document=_side(product, row, "document"),
        code=_side(product, row, "code") if row.code_source else None,
        owner=row.owner,
        decided_by=row.decided_by,
        is_by_model=row.is_by_model,
        reason=row.reason,
    )


def _sentence(row: DocumentConflict) -> str:
    names = {"subject": row.subject, "value": row.value, "actual": row.actual}
    if row.kind == BEHAVIOUR:
        return (
            gettext(
                "%(subject)s: “%(value)s” in the document, “%(actual)s” in the code."
            )
            % names
        )
    if not row.value and not row.actual:
        return gettext("The code has no %(subject)s.") % names
    if not row.value:
        return gettext("The code has %(actual)s instead of %(subject)s.") % names
    return (
        gettext("%(subject)s is %(value)s in the document and %(actual)s in the code.")
        % names
    )


def _side(product: Product, row: DocumentConflict, name: str) -> ConflictSide:
    source = getattr(row, f"{name}_source")
    path = getattr(row, f"{name}_path")
    start, end = getattr(row, f"{name}_start"), getattr(row, f"{name}_end")
    return ConflictSide(
        url=file_url(product.name, source.name, CURRENT_VERSION, path, start, end),
        label=f"{path}:{start}",
        excerpt=getattr(row, f"{name}_excerpt"),
        commit=getattr(row, f"{name}_commit")[:12],
        date=getattr(row, f"{name}_date"),
    )
