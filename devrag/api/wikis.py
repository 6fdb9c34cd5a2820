"""A product's wiki: the present version, its files and pages, what they claim."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import NO_NUL, caller
from devrag.api.paging import Page, cut_page
from devrag.api.products import find_product
from devrag.api.sample_values import COMMIT, LINES, PLACE, TIME
from devrag.core.errors import NotFound
from devrag.products.models import Product
from devrag.use_cases.api import sources_of
from devrag.wiki.api import (
    ClaimFreshness,
    ClaimState,
    compare_claims,
    current_versions,
    find_page,
    get_page,
    link_citations,
    prefix_of,
    readable_wikis,
    shown_wiki,
)
from devrag.wiki.models import Claim, Version
from devrag.wiki.models import Page as WikiPage

router = Router(tags=["wiki"], by_alias=True)


class WikiSource(JsonSchema):
    source_name: str
    ref: str
    commit_hash: str

    EXAMPLE: ClassVar = {
        "sourceName": "backend-api",
        "ref": "main",
        "commitHash": COMMIT,
    }


class WikiOut(JsonSchema):
    """The published version and its sources."""

    product_id: int
    product_name: str
    version: int
    writer: str
    generated_at: datetime
    page_count: int
    sources: list[WikiSource]

    EXAMPLE: ClassVar = {
        "productID": 2,
        "productName": "shop",
        "version": 3,
        "writer": "structural",
        "generatedAt": TIME,
        "pageCount": 14,
        "sources": [WikiSource.EXAMPLE],
    }


class WikiFile(JsonSchema):
    path: str
    title: str
    kind: str

    EXAMPLE: ClassVar = {"path": "features/cart.md", "title": "Cart", "kind": "feature"}


class ClaimOut(JsonSchema):
    """A cited sentence. path, lines: where it stood; state: fresh, moved or stale.

    nowPath, nowStartLine, nowEndLine: where it stands in what is indexed now.
    """

    claim_id: int
    page: str
    number: int
    sentence: str
    source_name: str
    path: str
    start_line: int
    end_line: int
    commit_hash: str
    excerpt: str
    state: str
    reason: str
    now_path: str | None
    now_start_line: int | None
    now_end_line: int | None

    EXAMPLE: ClassVar = {
        "claimID": 51,
        "page": "features/cart.md",
        "number": 1,
        "sentence": "It charges the customer.",
        **PLACE,
        **LINES,
        "commitHash": COMMIT,
        "excerpt": "return charge(total)",
        "state": "moved",
        "reason": "",
        "nowPath": "shop/cart.py",
        "nowStartLine": 14,
        "nowEndLine": 21,
    }


class OfPage(JsonSchema):
    page: str = Field(
        "",
        max_length=300,
        pattern=NO_NUL,
        description="Path of a page; '' for all pages.",
    )


def _current_version(product: Product) -> Version:
    wiki = shown_wiki(product)
    if wiki is None or wiki.current is None:
        raise _no_wiki(product)
    return wiki.current


def _no_wiki(product: Product) -> NotFound:
    return NotFound(
        f"'{product.name}' has no wiki yet. Generate it with POST "
        "/api/v1/products/wiki."
    )


@router.get("/{int:productID}/wiki", response={200: WikiOut, **describe_errors(404)})
def get_wiki(request: HttpRequest, productID: int) -> dict[str, Any]:
    """Return the published version of a product's wiki and its sources."""
    product = find_product(caller(request), productID)
    version = _current_version(product)
    return {
        "productID": product.pk,
        "productName": product.name,
        "version": version.number,
        "writer": version.writer,
        "generatedAt": version.created_at,
        "pageCount": version.pages.count(),
        "sources": sources_of(version),
    }


@router.get(
    "/{int:productID}/wiki/files",
    response={200: list[WikiFile], **describe_errors(404)},
)
def list_wiki_files(request: HttpRequest, productID: int) -> list[dict[str, Any]]:
    """List the files of a product's wiki in reading order, by language."""
    product = find_product(caller(request), productID)
    wikis = readable_wikis(product)
    if not wikis:
        raise _no_wiki(product)
    return [
        {**page, "path": prefix_of(wiki, wikis) + page["path"]}
        for wiki in wikis
        for page in WikiPage.objects.filter(version=wiki.current).values(
            "path", "title", "kind"
        )
    ]


@router.get(
    "/{int:productID}/wiki/files/{path:path}",
    response=describe_errors(404),
    openapi_extra={
        "responses": {
            200: {
                "description": "The page.",
                "content": {"text/markdown": {"schema": {"type": "string"}}},
            }
        }
    },
)
def get_wiki_file(request: HttpRequest, productID: int, path: str) -> HttpResponse:
    """Return one file of a product's wiki as Markdown."""
    product = find_product(caller(request), productID)
    page = find_wiki_page(product, path)
    base = f"{request.scheme}://{request.get_host()}"
    text = link_citations(product, page, base)
    return HttpResponse(text, content_type="text/markdown; charset=utf-8")


@router.get(
    "/{int:productID}/wiki/claims",
    response={200: list[ClaimOut], **describe_errors(404)},
)
def list_wiki_claims(
    request: HttpRequest,
    productID: int,
    response: HttpResponse,
    page: Page,
    of: Annotated[OfPage, Query(...)],
) -> list[dict[str, Any]]:
    """List the claims of a wiki with their locations and freshness."""
    product = find_product(caller(request), productID)
    if of.page:
        rows = Claim.objects.filter(page=find_wiki_page(product, of.page))
    else:
        rows = Claim.objects.filter(page__version=_current_version(product))
    found = cut_page(request, response, rows.with_page(), page, by=["pk"])
    states = compare_claims(found, current_versions(product.pk))
    by_place = {(each.page, each.ordinal): each for each in states}
    return [_claim(each, by_place[each.page.path, each.ordinal]) for each in found]


def _claim(claim: Claim, state: ClaimState) -> dict[str, Any]:
    stands = state.state != ClaimFreshness.STALE
    return {
        "claimID": claim.pk,
        "page": claim.page.path,
        "number": claim.ordinal,
        "sentence": claim.sentence,
        "sourceName": claim.source_name,
        "path": claim.path,
        "startLine": claim.start_line,
        "endLine": claim.end_line,
        "commitHash": claim.version_identifier,
        "excerpt": claim.excerpt,
        "state": state.state.value,
        "reason": state.reason,
        "nowPath": state.file.removeprefix(f"{claim.source_name}/") if stands else None,
        "nowStartLine": state.start_line if stands else None,
        "nowEndLine": state.end_line if stands else None,
    }


def find_wiki_page(product: Product, path: str) -> WikiPage:
    """Return a page by its address among the product's wikis. Raises NotFound."""
    return find_page(product, path) or get_page(_current_version(product), path)
