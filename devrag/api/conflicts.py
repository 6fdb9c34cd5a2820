"""Where a product's documents contradict its code, and what people say of that."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import WIKI, Request, caller
from devrag.api.paging import Page, cut_page
from devrag.api.products import find_product
from devrag.api.sample_values import TIME
from devrag.core.conflict_names import ConflictKind, ConflictState
from devrag.use_cases.api import describe_conflict
from devrag.wiki.api import conflicts_of, decide_conflict, find_conflict

router = Router(tags=["wiki"], by_alias=True)


class SideOut(JsonSchema):
    """One side: lines of a file, as they were read. date: of the page or commit."""

    source_name: str
    path: str
    start_line: int
    end_line: int
    excerpt: str
    content_hash: str
    commit: str
    date: datetime | None

    EXAMPLE: ClassVar = {
        "sourceName": "backend-api",
        "path": "docs/guide.md",
        "startLine": 12,
        "endLine": 12,
        "excerpt": "`TIMEOUT` defaults to `30`.",
        "contentHash": "0" * 64,
        "commit": "a" * 40,
        "date": TIME,
    }


class ConflictOut(JsonSchema):
    """A statement and what the code has. actual: '' and code: null for nothing."""

    conflict_id: int
    kind: ConflictKind
    state: ConflictState
    subject: str
    value: str = Field(
        description="What the document says; '' if it only mentions the subject."
    )
    actual: str
    is_by_model: bool = Field(
        description="Found by a language model instead of a rule."
    )
    reason: str = Field(description="The model's reason; '' for rules.")
    document: SideOut
    code: SideOut | None
    owner: str
    found_at: datetime
    decided_by: str

    EXAMPLE: ClassVar = {
        "conflictID": 5,
        "kind": "default",
        "state": "open",
        "subject": "TIMEOUT",
        "value": "30",
        "actual": "60",
        "isByModel": False,
        "reason": "",
        "document": SideOut.EXAMPLE,
        "code": SideOut.EXAMPLE
        | {"path": "shop/settings.py", "excerpt": "TIMEOUT = 60"},
        "owner": "",
        "foundAt": TIME,
        "decidedBy": "",
    }


class OfConflicts(JsonSchema):
    """Which conflicts. state: without it the open ones."""

    kind: ConflictKind | None = None
    state: ConflictState = "open"


class ConflictChange(Request):
    """What a maintainer decides. dismissed: it is no conflict, for good."""

    state: Literal["open", "outdated", "dismissed"]

    EXAMPLE: ClassVar = {"state": "outdated"}


@router.get(
    "/{int:productID}/conflicts",
    response={200: list[ConflictOut], **describe_errors(404)},
)
def list_conflicts(
    request: HttpRequest,
    productID: int,
    response: HttpResponse,
    page: Page,
    of: Annotated[OfConflicts, Query(...)],
) -> list[dict[str, Any]]:
    """List conflicts between documents and code, by document."""
    product = find_product(caller(request), productID)
    rows = conflicts_of(product, caller(request), kind=of.kind or "", state=of.state)
    order = ["document_path", "document_start", "pk"]
    return list(
        map(describe_conflict, cut_page(request, response, rows, page, by=order))
    )


@router.get(
    "/{int:productID}/conflicts/{int:conflictID}",
    response={200: ConflictOut, **describe_errors(404)},
)
def get_conflict(
    request: HttpRequest, productID: int, conflictID: int
) -> dict[str, Any]:
    """Return a conflict with both sides."""
    product = find_product(caller(request), productID)
    return describe_conflict(find_conflict(product, caller(request), conflictID))


@router.patch(
    "/{int:productID}/conflicts/{int:conflictID}",
    auth=WIKI,
    response={200: ConflictOut, **describe_errors(404, 413, 415)},
)
def change_conflict(
    request: HttpRequest, productID: int, conflictID: int, body: ConflictChange
) -> dict[str, Any]:
    """Set the state of a conflict; `outdated` adds a note to the wiki page."""
    product = find_product(caller(request), productID)
    row = decide_conflict(
        principal=caller(request),
        product=product,
        conflict_id=conflictID,
        state=body.state,
    )
    return describe_conflict(row)
