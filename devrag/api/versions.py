"""The kept versions of a wiki: listed, compared, pinned, shown to readers again."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router, Schema

from devrag.api.door import WIKI, Number, Request, caller
from devrag.api.paging import Page, cut_page
from devrag.api.products import find_product
from devrag.api.wikis import WikiSource, describe_wiki_sources
from devrag.api_errors import describe_errors
from devrag.core.errors import NotFound
from devrag.flows.wiki import roll_back
from devrag.products.models import Product
from devrag.web.pages.wiki_versions import find_wiki
from devrag.wiki.history import (
    diff_versions,
    find_version,
    pin_version,
    version_before,
    versions_of,
)
from devrag.wiki.models import Version, Wiki

router = Router(tags=["wiki"], by_alias=True)


class VersionOut(Schema):
    """A version. isCurrent: readers see it. isPinned: it is kept for good."""

    version: int
    generated_at: datetime = Field(alias="generatedAt")
    writer: str
    cause: str
    is_current: bool = Field(alias="isCurrent")
    is_pinned: bool = Field(alias="isPinned")
    seconds: float
    input_tokens: int = Field(alias="inputTokens")
    output_tokens: int = Field(alias="outputTokens")
    cost: Decimal = Field(description="Dollars.")
    sources: list[WikiSource]


class VersionDetails(VersionOut):
    """With its report: pages added, rewritten, reused and removed; what was cut."""

    report: dict[str, Any]
    coverage: dict[str, Any]


class VersionChange(Request):
    is_pinned: bool | None = Field(None, alias="isPinned")
    is_current: Literal[True] | None = Field(
        None, alias="isCurrent", description="true: readers see this version."
    )


class DifferenceOut(Schema):
    """A page that differs. diff: unified, without its two lines of file names."""

    path: str
    title: str
    kind: str = Field(description="added, removed or changed")
    lines_added: int = Field(alias="linesAdded")
    lines_removed: int = Field(alias="linesRemoved")
    diff: str


class InLanguage(Schema):
    language: Literal["", "en", "ja"] = Field(
        "", description="'' is the wiki that readers see first."
    )


class Sides(InLanguage):
    before: Number | None = Field(None, description="Left out: the one before `after`.")
    after: Number | None = Field(None, description="Left out: what readers see.")


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
    """List the kept versions of a wiki, the newest first."""
    product = find_product(caller(request), productID)
    wiki = _wiki(product, asked)
    rows = versions_of(product, wiki.language)
    found = cut_page(request, response, rows, page, by=["-number"])
    return [_describe(version, wiki) for version in found]


@router.get(
    "/{int:productID}/wiki/versions/{int:version}",
    response={200: VersionDetails, **describe_errors(404)},
)
def get_wiki_version(
    request: HttpRequest, productID: int, version: int, asked: Language
) -> dict[str, Any]:
    """Return a version of a wiki with the report of the run that wrote it."""
    product = find_product(caller(request), productID)
    wiki = _wiki(product, asked)
    return _details(find_version(product, _small(version), wiki.language), wiki)


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
    """Keep a version for good, or show it to readers: back, or forward again."""
    product = find_product(caller(request), productID)
    language = _wiki(product, asked).language
    which: dict[str, Any] = {
        "principal": caller(request),
        "product": product,
        "number": _small(version),
        "language": language,
    }
    if body.is_pinned is not None:
        pin_version(**which, is_pinned=body.is_pinned)
    if body.is_current:
        roll_back(**which)
    wiki = _wiki(product, asked)
    return _details(find_version(product, _small(version), language), wiki)


@router.get(
    "/{int:productID}/wiki/diff",
    response={200: list[DifferenceOut], **describe_errors(404)},
)
def compare_wiki_versions(
    request: HttpRequest, productID: int, sides: Annotated[Sides, Query(...)]
) -> list[dict[str, Any]]:
    """Return the pages that differ between two versions; numbers of citations aside."""
    product = find_product(caller(request), productID)
    wiki = _wiki(product, sides)
    after = _asked(product, wiki, sides.after) or wiki.current
    if after is None:
        raise NotFound(f"'{product.name}' has no wiki yet.")
    before = _asked(product, wiki, sides.before) or version_before(after) or after
    return [
        {
            "path": each.path,
            "title": each.title,
            "kind": each.kind,
            "linesAdded": each.lines_added,
            "linesRemoved": each.lines_removed,
            "diff": each.diff,
        }
        for each in diff_versions(before, after)
    ]


def _wiki(product: Product, asked: InLanguage) -> Wiki:
    return find_wiki(product, asked.language)[0]


def _asked(product: Product, wiki: Wiki, number: int | None) -> Version | None:
    return None if number is None else find_version(product, number, wiki.language)


def _small(number: int) -> int:
    """Numbers beyond what a column holds are versions that there are none of."""
    return min(number, 2**31 - 1)


def _details(version: Version, wiki: Wiki) -> dict[str, Any]:
    about = {"report": version.report, "coverage": version.coverage}
    return {**_describe(version, wiki), **about}


def _describe(version: Version, wiki: Wiki) -> dict[str, Any]:
    return {
        "version": version.number,
        "generatedAt": version.created_at,
        "writer": version.writer,
        "cause": version.cause,
        "isCurrent": version.pk == wiki.current_id,
        "isPinned": version.is_pinned,
        "seconds": version.duration_seconds,
        "inputTokens": version.input_tokens,
        "outputTokens": version.output_tokens,
        "cost": version.cost,
        "sources": describe_wiki_sources(version),
    }
