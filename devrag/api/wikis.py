"""A product's wiki: the present version, its files, one file as Markdown."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Field, Router, Schema

from devrag.api.door import caller
from devrag.api.products import find_product
from devrag.api_errors import describe_errors
from devrag.core.errors import NotFound
from devrag.products.models import Product
from devrag.web.pages.wiki import export_markdown
from devrag.wiki.addresses import find_page, get_page
from devrag.wiki.models import Version
from devrag.wiki.versions import shown_wiki

router = Router(tags=["products"], by_alias=True)


class WikiSource(Schema):
    source_name: str = Field(alias="sourceName")
    ref: str
    commit_hash: str = Field(alias="commitHash")


class WikiOut(Schema):
    """The version that readers see, and the sources it was written from."""

    product_id: int = Field(alias="productID")
    product_name: str = Field(alias="productName")
    version: int
    writer: str
    generated_at: datetime = Field(alias="generatedAt")
    page_count: int = Field(alias="pageCount")
    sources: list[WikiSource]


class WikiFile(Schema):
    path: str
    title: str
    kind: str


def _current_version(product: Product) -> Version:
    wiki = shown_wiki(product)
    if wiki is None or wiki.current is None:
        raise NotFound(
            f"'{product.name}' has no wiki yet. POST /api/v1/products/wiki writes one."
        )
    return wiki.current


@router.get("/{int:productID}/wiki", response={200: WikiOut, **describe_errors(404)})
def get_wiki(request: HttpRequest, productID: int) -> dict[str, Any]:  # noqa: N803
    """Return what the latest wiki of a product was made of."""
    product = find_product(caller(request, "read"), productID)
    version = _current_version(product)
    return {
        "productID": product.pk,
        "productName": product.name,
        "version": version.number,
        "writer": version.writer,
        "generatedAt": version.created_at,
        "pageCount": version.pages.count(),
        "sources": [
            {"sourceName": name, "ref": seen["ref"], "commitHash": seen["commit"]}
            for name, seen in sorted(version.sources.items())
        ],
    }


@router.get(
    "/{int:productID}/wiki/files",
    response={200: list[WikiFile], **describe_errors(404)},
)
def list_wiki_files(request: HttpRequest, productID: int) -> list[dict[str, Any]]:  # noqa: N803
    """List the files of a product's wiki in reading order."""
    product = find_product(caller(request, "read"), productID)
    pages = _current_version(product).pages.values("path", "title", "kind")
    return [dict(page) for page in pages]


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
def get_wiki_file(request: HttpRequest, productID: int, path: str) -> HttpResponse:  # noqa: N803
    """Return one file of a product's wiki as Markdown."""
    product = find_product(caller(request, "read"), productID)
    page = find_page(product, path) or get_page(_current_version(product), path)
    base = f"{request.scheme}://{request.get_host()}"
    text = export_markdown(product, page, base)
    return HttpResponse(text, content_type="text/markdown; charset=utf-8")
