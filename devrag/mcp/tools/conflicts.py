"""list_conflicts: where documents say something else than the code does."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from devrag.core.conflict_names import ConflictKind, ConflictState
from devrag.mcp.arguments import Limit, ProductName
from devrag.mcp.caller import Ctx, caller
from devrag.mcp.collections import find_product
from devrag.wiki.api import conflicts_of
from devrag.wiki.models import DocumentConflict

_DEFAULT_LIMIT = 10


class ConflictSide(TypedDict):
    """Lines as they were read. date: of the page or commit."""

    source: str
    path: str
    start_line: int
    end_line: int
    text: str
    date: NotRequired[str]


class ConflictOut(TypedDict):
    """A statement and what the code has instead.

    value: what the document says of the subject; absent if it only names it. actual,
    code: what the code has; absent for nothing. reason: why, where a model found it.
    """

    conflict_id: int
    kind: str
    state: str
    subject: str
    value: NotRequired[str]
    actual: NotRequired[str]
    document: ConflictSide
    code: NotRequired[ConflictSide]
    owner: NotRequired[str]
    reason: NotRequired[str]


class Conflicts(TypedDict):
    """Conflicts by document. total: how many there are of this kind and state."""

    product: str
    conflicts: list[ConflictOut]
    total: int
    next: NotRequired[str]


def list_conflicts(
    ctx: Ctx,
    product: ProductName,
    kind: Annotated[ConflictKind | Literal[""], Field(description="'' for all.")] = "",
    state: Annotated[
        ConflictState,
        Field(
            description=(
                "outdated: a maintainer confirmed that the document is outdated."
            )
        ),
    ] = "open",
    limit: Limit = _DEFAULT_LIMIT,
    offset: Annotated[int, Field(ge=0, le=100_000)] = 0,
) -> Conflicts:
    """List where pages, tickets, READMEs and docstrings contradict the code.

    Both sides have lines and dates. Check before relying on a document.
    """
    principal = caller(ctx, "read")
    held = find_product(principal, product)
    rows = conflicts_of(held, principal, kind=kind, state=state)
    total = rows.count()
    shown = list(rows[offset : offset + limit])
    found = Conflicts(
        product=held.name, conflicts=list(map(_to_conflict, shown)), total=total
    )
    if offset + len(shown) < total and shown:
        found["next"] = f"Continue with offset={offset + len(shown)}."
    return found


def _to_conflict(row: DocumentConflict) -> ConflictOut:
    found = ConflictOut(
        conflict_id=row.pk,
        kind=row.kind,
        state=row.state,
        subject=row.subject,
        document=_side(row, "document"),
    )
    if row.value:
        found["value"] = row.value
    if row.actual:
        found["actual"] = row.actual
    if row.code_source:
        found["code"] = _side(row, "code")
    if row.reason:
        found["reason"] = row.reason
    if row.owner:
        found["owner"] = row.owner
    return found


def _side(row: DocumentConflict, name: Literal["document", "code"]) -> ConflictSide:
    side = ConflictSide(
        source=getattr(row, f"{name}_source").name,
        path=getattr(row, f"{name}_path"),
        start_line=getattr(row, f"{name}_start"),
        end_line=getattr(row, f"{name}_end"),
        text=getattr(row, f"{name}_excerpt"),
    )
    date = getattr(row, f"{name}_date")
    if date:
        side["date"] = date.isoformat(timespec="seconds")
    return side
