"""The kept versions of a wiki: listed, compared, pinned, shown to readers again."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import WIKI, Number, Request, caller
from devrag.api.paging import Page, cut_page
from devrag.api.products import find_product
from devrag.api.sample_values import TIME
from devrag.api.wikis import WikiSource
from devrag.core.errors import NotFound
from devrag.products.models import Product
from devrag.use_cases.api import (
    details_of,
    difference_of,
    estimate_of,
    facts_of,
    roll_back,
    status_of,
)
from devrag.wiki.api import (
    check_may_write,
    diff_versions,
    estimate_wiki,
    find_readable_wiki,
    find_version,
    pin_version,
    version_before,
    versions_of,
)
from devrag.wiki.models import Version, Wiki

router = Router(tags=["wiki"], by_alias=True)


class VersionOut(JsonSchema):
    """A version. isCurrent: it is published. isPinned: it is kept permanently."""

    version: int
    generated_at: datetime
    writer: str
    cause: str
    is_current: bool
    is_pinned: bool
    seconds: float
    input_tokens: int
    output_tokens: int
    cost: Decimal = Field(description="Dollars.")
    sources: list[WikiSource]

    EXAMPLE: ClassVar = {
        "version": 3,
        "generatedAt": TIME,
        "writer": "structural",
        "cause": "requested",
        "isCurrent": True,
        "isPinned": False,
        "seconds": 4.2,
        "inputTokens": 0,
        "outputTokens": 0,
        "cost": "0.000000",
        "sources": [WikiSource.EXAMPLE],
    }


class VersionDetails(VersionOut):
    """A version with its report: added, rewritten, reused, removed and cut content."""

    report: dict[str, Any]
    coverage: dict[str, Any]

    EXAMPLE: ClassVar = {**VersionOut.EXAMPLE, "report": {"claims": 51}, "coverage": {}}


class StalePage(JsonSchema):
    """claims: how many are stale; files: path → what happened to it."""

    claims: int
    files: dict[str, str]

    EXAMPLE: ClassVar = {"claims": 1, "files": {"backend-api/shop/cart.py": "changed"}}


class KeptVersion(JsonSchema):
    version: int
    generated_at: datetime
    is_pinned: bool

    EXAMPLE: ClassVar = {"version": 3, "generatedAt": TIME, "isPinned": False}


class WikiStatus(VersionOut):
    """What readers see. claims: state → how many; unfinished: pages without a model.

    isRolledBack: a newer version is kept, and an index does not write another.
    """

    pages: list[str]
    unfinished: list[str]
    claims: dict[str, int]
    stale_pages: dict[str, StalePage]
    is_up_to_date: bool
    is_rolled_back: bool
    versions: list[KeptVersion]

    EXAMPLE: ClassVar = {
        **VersionOut.EXAMPLE,
        "pages": ["index.md", "features/cart.md"],
        "unfinished": [],
        "claims": {"fresh": 48, "moved": 2, "stale": 1},
        "stalePages": {"features/cart.md": StalePage.EXAMPLE},
        "isUpToDate": False,
        "isRolledBack": False,
        "versions": [KeptVersion.EXAMPLE],
    }


class EstimateOut(JsonSchema):
    """The estimate of a run. written: pages that are not reused."""

    writer: str
    pages: int
    written: int
    calls: int
    input_tokens: int
    output_tokens: int
    price: Decimal | None = Field(description="Dollars; null if unknown.")

    EXAMPLE: ClassVar = {
        "writer": "openai:gpt-4.1-mini",
        "pages": 24,
        "written": 3,
        "calls": 19,
        "inputTokens": 41000,
        "outputTokens": 9000,
        "price": "0.0308",
    }


class VersionChange(Request):
    is_pinned: bool | None = None
    is_current: Literal[True] | None = Field(
        None, description="true: the published version."
    )

    EXAMPLE: ClassVar = {"isPinned": True}


class DifferenceOut(JsonSchema):
    """A changed page. diff: unified, without the file name lines."""

    path: str
    title: str
    kind: str = Field(description="added, removed or changed")
    lines_added: int
    lines_removed: int
    diff: str

    EXAMPLE: ClassVar = {
        "path": "features/cart.md",
        "title": "Cart",
        "kind": "changed",
        "linesAdded": 1,
        "linesRemoved": 0,
        "diff": "@@ -3,0 +4 @@\n+It charges the customer.",
    }


class InLanguage(JsonSchema):
    language: Literal["", "en", "ja"] = Field(
        "", description="'' for the wiki in the main language."
    )


class Sides(InLanguage):
    before: Number | None = Field(
        None, description="Default: the version before `after`."
    )
    after: Number | None = Field(None, description="Default: the published version.")


Language = Annotated[InLanguage, Query(...)]


@router.get(
    "/{int:productID}/wiki/versions",
    response={200: list[VersionOut], **describe_errors(404)},
)
def list_wiki_versions(
    request: HttpRequest,
    productID: int,
    response: HttpResponse,
    page: Page,
    asked: Language,
) -> list[dict[str, Any]]:
    """List the stored versions of a wiki, newest first."""
    product = find_product(caller(request), productID)
    wiki = _wiki(product, asked)
    rows = versions_of(product, wiki.language)
    found = cut_page(request, response, rows, page, by=["-number"])
    return [facts_of(version, wiki) for version in found]


@router.get(
    "/{int:productID}/wiki/versions/{int:version}",
    response={200: VersionDetails, **describe_errors(404)},
)
def get_wiki_version(
    request: HttpRequest, productID: int, version: int, asked: Language
) -> dict[str, Any]:
    """Return a version of a wiki with the report of its run."""
    product = find_product(caller(request), productID)
    wiki = _wiki(product, asked)
    return details_of(find_version(product, small_number(version), wiki.language), wiki)


@router.patch(
    "/{int:productID}/wiki/versions/{int:version}",
    auth=WIKI,
    response={200: VersionDetails, **describe_errors(404, 413, 415)},
)
def change_wiki_version(
    request: HttpRequest,
    productID: int,
    version: int,
    body: VersionChange,
    asked: Language,
) -> dict[str, Any]:
    """Pin a version, or publish it (roll back or forward)."""
    product = find_product(caller(request), productID)
    language = _wiki(product, asked).language
    which: dict[str, Any] = {
        "principal": caller(request),
        "product": product,
        "number": small_number(version),
        "language": language,
    }
    if body.is_pinned is not None:
        pin_version(**which, is_pinned=body.is_pinned)
    if body.is_current:
        roll_back(**which)
    wiki = _wiki(product, asked)
    return details_of(find_version(product, small_number(version), language), wiki)


@router.get(
    "/{int:productID}/wiki/diff",
    response={200: list[DifferenceOut], **describe_errors(404)},
)
def compare_wiki_versions(
    request: HttpRequest, productID: int, sides: Annotated[Sides, Query(...)]
) -> list[dict[str, Any]]:
    """Return the pages that differ between two versions, ignoring citation numbers."""
    product = find_product(caller(request), productID)
    wiki = _wiki(product, sides)
    after = _asked(product, wiki, sides.after) or wiki.current
    if after is None:
        raise NotFound(f"'{product.name}' has no wiki yet.")
    before = _asked(product, wiki, sides.before)
    if sides.before is None:
        before = version_before(after)
    if before is None:
        raise NotFound(
            f"Version {after.number} is the oldest; there is nothing to compare "
            "it with."
        )
    return list(map(difference_of, diff_versions(before, after)))


@router.get(
    "/{int:productID}/wiki/status",
    response={200: WikiStatus, **describe_errors(404)},
)
def get_wiki_status(
    request: HttpRequest, productID: int, asked: Language
) -> dict[str, Any]:
    """Return the freshness of the published version, and the stored versions."""
    product = find_product(caller(request), productID)
    wiki = _wiki(product, asked)
    if wiki.current is None:
        raise NotFound(f"'{product.name}' has no wiki yet.")
    return status_of(wiki.current, wiki)


@router.get(
    "/{int:productID}/wiki/estimate",
    auth=WIKI,
    response={200: EstimateOut, **describe_errors(404, 409)},
)
def estimate(request: HttpRequest, productID: int) -> dict[str, Any]:
    """Estimate the pages and cost of a run without a model; takes seconds."""
    product = find_product(caller(request), productID)
    check_may_write(caller(request), product)
    return estimate_of(estimate_wiki(product))


def _wiki(product: Product, asked: InLanguage) -> Wiki:
    return find_readable_wiki(product, asked.language)[0]


def _asked(product: Product, wiki: Wiki, number: int | None) -> Version | None:
    return None if number is None else find_version(product, number, wiki.language)


def small_number(number: int) -> int:
    """Return a number that a column holds; there is no version beyond."""
    return min(number, 2**31 - 1)
