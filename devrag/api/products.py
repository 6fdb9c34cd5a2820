"""Products, their sources, and writing their wikis."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Field, Router, Schema, Status

from devrag.api.door import NO_NUL, JobAccepted, Request, accept_job, caller
from devrag.api.source_fields import SourceOut, describe_sources
from devrag.api_errors import describe_errors
from devrag.core.errors import NotFound
from devrag.core.principal import Principal
from devrag.flows.deletion import delete_product
from devrag.flows.wiki import request_wiki
from devrag.products.models import Product
from devrag.products.services import get_visible_product
from devrag.sources.models import Source

router = Router(tags=["products"], by_alias=True)


class WikiRequest(Request):
    product_name: str = Field(
        alias="productName", min_length=1, max_length=64, pattern=NO_NUL
    )


class ProductOut(Schema):
    product_id: int = Field(alias="productID")
    product_name: str = Field(alias="productName")
    title: str
    description: str
    source_count: int = Field(alias="sourceCount")


def find_product(principal: Principal, product_id: int) -> Product:
    """Return a product by its id; NotFound when the caller may not see it."""
    rows = Product.objects.visible_to(principal).prefetch_related("sources")
    product: Product | None = rows.filter(pk=product_id).first()
    if product is None:
        raise NotFound(f"There is no product {product_id}.")
    return product


def _describe(product: Product) -> dict[str, Any]:
    return {
        "productID": product.pk,
        "productName": product.name,
        "title": product.title,
        "description": product.description,
        "sourceCount": len(product.sources.all()),
    }


@router.get("", response={200: list[ProductOut], **describe_errors()})
def list_products(request: HttpRequest) -> list[dict[str, Any]]:
    """List the products this token may read."""
    principal = caller(request, "read")
    rows = Product.objects.visible_to(principal).prefetch_related("sources")
    return [_describe(row) for row in rows]


@router.post("/wiki", response={202: JobAccepted, **describe_errors(404, 409)})
def generate_wiki(
    request: HttpRequest, body: WikiRequest, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Start writing a product's wiki; answers at once with the job's id."""
    principal = caller(request, "wiki")
    product = get_visible_product(body.product_name, principal)
    job = request_wiki(principal=principal, product=product)
    return Status(202, accept_job(job, response))


@router.get("/{int:productID}", response={200: ProductOut, **describe_errors(404)})
def get_product(request: HttpRequest, productID: int) -> dict[str, Any]:  # noqa: N803
    """Return a product."""
    return _describe(find_product(caller(request, "read"), productID))


@router.get(
    "/{int:productID}/sources", response={200: list[SourceOut], **describe_errors(404)}
)
def list_sources_of_product(
    request: HttpRequest,
    productID: int,  # noqa: N803
) -> list[dict[str, Any]]:
    """List the sources of a product."""
    product = find_product(caller(request, "read"), productID)
    return describe_sources(Source.objects.filter(product=product))


@router.delete(
    "/{int:productID}", response={202: JobAccepted, **describe_errors(404, 409)}
)
def remove_product(
    request: HttpRequest,
    productID: int,  # noqa: N803
    response: HttpResponse,
) -> Status[dict[str, Any]]:
    """Delete a product with its sources and wiki; a job does it in portions."""
    principal = caller(request, "admin")
    job = delete_product(
        principal=principal, product=find_product(principal, productID)
    )
    return Status(202, accept_job(job, response))
