"""Documents whose code changed after they were written, and what people say of that."""

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
from devrag.use_cases.api import describe_outdated
from devrag.wiki.api import check_document, find_outdated_document, outdated_of

router = Router(tags=["wiki"], by_alias=True)
State = Literal["open", "checked"]


class ChangedCodeOut(JsonSchema):
    """Code named in the document. symbol: '' for the file. commit: the latest."""

    source_name: str
    path: str
    symbol: str
    line: int = Field(description="Line of the document that mentions it, from 1.")
    lines: int = Field(
        description="Lines removed and added since the document was written."
    )
    changes: int = Field(description="Commits that changed it since then.")
    commit: str
    changed_at: datetime

    EXAMPLE: ClassVar = {
        "sourceName": "backend-api",
        "path": "shop/cart.py",
        "symbol": "Cart.checkout",
        "line": 12,
        "lines": 40,
        "changes": 3,
        "commit": "a" * 40,
        "changedAt": TIME,
    }


class OutdatedDocumentOut(JsonSchema):
    """A document that may be outdated. title: of a page, '' for files."""

    document_id: int
    state: State
    source_name: str
    path: str
    title: str
    written_at: datetime
    is_older: bool = Field(
        description="The document is older than the oldest commit that was read."
    )
    changed_at: datetime
    lines: int = Field(description="Lines of code changed since then.")
    code: list[ChangedCodeOut] = Field(description="Most changed first, at most 50.")
    found_at: datetime
    checked_by: str
    checked_at: datetime | None

    EXAMPLE: ClassVar = {
        "documentID": 5,
        "state": "open",
        "sourceName": "backend-api",
        "path": "docs/cart.md",
        "title": "",
        "writtenAt": TIME,
        "isOlder": False,
        "changedAt": TIME,
        "lines": 40,
        "code": [ChangedCodeOut.EXAMPLE],
        "foundAt": TIME,
        "checkedBy": "",
        "checkedAt": None,
    }


class OfOutdated(JsonSchema):
    """Which documents. state: without it the open ones."""

    state: State = "open"


class OutdatedChange(Request):
    """What a maintainer says. isRight: it is, until its code changes again."""

    is_right: bool

    EXAMPLE: ClassVar = {"isRight": True}


@router.get(
    "/{int:productID}/outdated-documents",
    response={200: list[OutdatedDocumentOut], **describe_errors(404)},
)
def list_outdated_documents(
    request: HttpRequest,
    productID: int,
    response: HttpResponse,
    page: Page,
    of: Annotated[OfOutdated, Query(...)],
) -> list[dict[str, Any]]:
    """List documents whose code changed after they were written, most changed first."""
    product = find_product(caller(request), productID)
    rows = outdated_of(product, caller(request), state=of.state)
    found = cut_page(request, response, rows, page, by=["-lines", "-pk"])
    return list(map(describe_outdated, found))


@router.get(
    "/{int:productID}/outdated-documents/{int:documentID}",
    response={200: OutdatedDocumentOut, **describe_errors(404)},
)
def get_outdated_document(
    request: HttpRequest, productID: int, documentID: int
) -> dict[str, Any]:
    """Return a document that may be outdated, with the code that changed."""
    product = find_product(caller(request), productID)
    return describe_outdated(
        find_outdated_document(product, caller(request), documentID)
    )


@router.patch(
    "/{int:productID}/outdated-documents/{int:documentID}",
    auth=WIKI,
    response={200: OutdatedDocumentOut, **describe_errors(404, 413, 415)},
)
def change_outdated_document(
    request: HttpRequest, productID: int, documentID: int, body: OutdatedChange
) -> dict[str, Any]:
    """Mark a document as checked and still correct, or undo this."""
    product = find_product(caller(request), productID)
    row = check_document(
        principal=caller(request),
        product=product,
        document_id=documentID,
        is_right=body.is_right,
    )
    return describe_outdated(row)
