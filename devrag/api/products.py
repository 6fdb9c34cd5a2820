"""Products: list, make, change, delete, and writing their wikis."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Field, Router, Status

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import (
    ADMIN,
    INDEX,
    NO_NUL,
    WIKI,
    JobAccepted,
    ProductName,
    Request,
    accept_job,
    caller,
)
from devrag.api.paging import Page, cut_page
from devrag.api.source_fields import SourceOut, WikiLanguage, describe_sources
from devrag.core.errors import NotFound
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.products.services import create_product, get_visible_product
from devrag.sources.api import MAX_ROOTS, may_grant
from devrag.sources.models import Source
from devrag.use_cases.api import change_product, request_wiki
from devrag.use_cases.deletion.request import delete_product

router = Router(tags=["products"], by_alias=True)
Title = Annotated[str, Field(max_length=200, pattern=NO_NUL)]
FolderPath = Annotated[str, Field(min_length=1, max_length=2000, pattern=NO_NUL)]
Description = Annotated[str, Field(max_length=10_000, pattern=NO_NUL)]


class WikiRequest(Request):
    product_name: ProductName = Field(min_length=1)
    is_forced: bool = Field(False, description="Write every page, even unchanged ones.")
    is_redesigned: bool = Field(
        False, description="Choose the pages again instead of keeping the current ones."
    )

    EXAMPLE: ClassVar = {"productName": "shop"}


class WikiSettings(Request):
    """What whoever writes the wiki is told. glossary: word → how it is written."""

    language: WikiLanguage | None = None
    audience: Annotated[str, Field(max_length=4000, pattern=NO_NUL)] | None = None
    notes: Annotated[str, Field(max_length=4000, pattern=NO_NUL)] | None = None
    glossary: (
        dict[
            Annotated[str, Field(max_length=200, pattern=NO_NUL)],
            Annotated[str, Field(max_length=200, pattern=NO_NUL)],
        ]
        | None
    ) = None


class ProductChange(Request):
    """What can be changed of a product; what is left out stays as it is."""

    title: Title | None = None
    description: Description | None = None
    visibility: Literal["everyone", "members"] | None = None
    is_external_models_allowed: bool | None = Field(
        None,
        alias="externalModelsAllowed",
        description="false: no text is sent to external models.",
    )
    source_roots: list[FolderPath] | None = Field(
        None,
        max_length=MAX_ROOTS,
        description="Folders on the server from which maintainers may add sources. "
        "Only administrators can set them.",
    )
    is_ssh_key_allowed: bool | None = Field(
        None,
        alias="sshKeyAllowed",
        description="Whether maintainers may add repositories that require the "
        "server's SSH key. Only administrators can set it.",
    )
    wiki_settings: WikiSettings | None = None

    EXAMPLE: ClassVar = {
        "title": "The shop",
        "visibility": "members",
        "wikiSettings": {"language": "en,ja", "glossary": {"cart": "Basket"}},
    }


class NewProduct(ProductChange):
    """A product to make with its settings; sources are added to it afterwards."""

    product_name: ProductName = Field(min_length=1)

    EXAMPLE: ClassVar = {"productName": "shop", "title": "The shop"}


class ProductOut(JsonSchema):
    product_id: int
    product_name: str
    title: str
    description: str
    source_count: int
    visibility: str
    is_external_models_allowed: bool = Field(alias="externalModelsAllowed")
    wiki_settings: dict[str, Any]
    source_roots: list[str] | None = Field(
        description="null except for administrators."
    )
    is_ssh_key_allowed: bool | None = Field(
        alias="sshKeyAllowed", description="null except for administrators."
    )

    EXAMPLE: ClassVar = {
        "productID": 2,
        "productName": "shop",
        "title": "The shop",
        "description": "",
        "sourceCount": 1,
        "visibility": "members",
        "externalModelsAllowed": True,
        "wikiSettings": {},
        "sourceRoots": None,
        "sshKeyAllowed": None,
    }


def _with_sources(rows: QuerySet[Product], principal: Principal) -> QuerySet[Product]:
    """Read with products the sources that a reader of them sees."""
    visible = Source.objects.within_limits(principal)
    return rows.prefetch_related(Prefetch("sources", visible))


def find_product(principal: Principal, product_id: int) -> Product:
    """Return a product by its id; NotFound when the caller may not see it."""
    rows = _with_sources(Product.objects.visible_to(principal), principal)
    product: Product | None = rows.filter(pk=product_id).first()
    if product is None:
        raise NotFound(f"There is no product {product_id}.")
    return product


def _describe(product: Product, principal: Principal) -> dict[str, Any]:
    is_shown = may_grant(principal)
    return {
        "productID": product.pk,
        "productName": product.name,
        "title": product.title,
        "description": product.description,
        "sourceCount": len(product.sources.all()),
        "visibility": product.visibility,
        "externalModelsAllowed": product.is_external_models_allowed,
        "wikiSettings": product.wiki_settings,
        "sourceRoots": product.source_roots if is_shown else None,
        "sshKeyAllowed": product.is_ssh_key_allowed if is_shown else None,
    }


@router.get("", response={200: list[ProductOut], **describe_errors()})
def list_products(
    request: HttpRequest, response: HttpResponse, page: Page
) -> list[dict[str, Any]]:
    """List the products this token can read."""
    principal = caller(request)
    rows = _with_sources(Product.objects.visible_to(principal), principal)
    found = cut_page(request, response, rows, page, by=["name"])
    return [_describe(product, principal) for product in found]


@router.post(
    "", auth=INDEX, response={201: ProductOut, **describe_errors(409, 413, 415)}
)
def add_product(
    request: HttpRequest, body: NewProduct, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Create a product without sources; the token's owner becomes its maintainer."""
    principal = caller(request)
    with transaction.atomic():
        product = create_product(name=body.product_name, principal=principal)
        if changes := body.model_dump(exclude_none=True, exclude={"product_name"}):
            change_product(principal=principal, product=product, changes=changes)
    response["Location"] = f"/api/v1/products/{product.pk}"
    return Status(201, _describe(product, principal))


@router.post(
    "/wiki",
    auth=WIKI,
    response={202: JobAccepted, **describe_errors(404, 409, 413, 415)},
)
def generate_wiki(
    request: HttpRequest, body: WikiRequest, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Start generating a product's wiki; returns the job ID immediately."""
    principal = caller(request)
    product = get_visible_product(body.product_name, principal)
    job = request_wiki(
        principal=principal,
        product=product,
        is_forced=body.is_forced,
        is_redesigned=body.is_redesigned,
    )
    return Status(202, accept_job(job, response))


@router.get("/{int:productID}", response={200: ProductOut, **describe_errors(404)})
def get_product(request: HttpRequest, productID: int) -> dict[str, Any]:
    """Return a product."""
    principal = caller(request)
    return _describe(find_product(principal, productID), principal)


@router.patch(
    "/{int:productID}",
    auth=ADMIN,
    response={200: ProductOut, **describe_errors(404, 413, 415)},
)
def change_product_settings(
    request: HttpRequest, productID: int, body: ProductChange
) -> dict[str, Any]:
    """Change the settings of a product."""
    principal = caller(request)
    product = find_product(principal, productID)
    changes = body.model_dump(exclude_none=True)
    if "wiki_settings" in changes:
        changes["wiki_settings"] = {**product.wiki_settings, **changes["wiki_settings"]}
    change_product(principal=principal, product=product, changes=changes)
    return _describe(find_product(principal, productID), principal)


@router.get(
    "/{int:productID}/sources", response={200: list[SourceOut], **describe_errors(404)}
)
def list_sources_of_product(
    request: HttpRequest, productID: int, response: HttpResponse, page: Page
) -> list[dict[str, Any]]:
    """List the sources of a product."""
    principal = caller(request)
    product = find_product(principal, productID)
    rows = Source.objects.within_limits(principal).filter(product=product)
    rows = rows.select_related("product")
    return describe_sources(cut_page(request, response, rows, page, by=["name"]))


@router.delete(
    "/{int:productID}",
    auth=ADMIN,
    response={202: JobAccepted, **describe_errors(404, 409)},
)
def remove_product(
    request: HttpRequest, productID: int, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Delete a product with its sources and wiki, as a job."""
    principal = caller(request)
    product = find_product(principal, productID)
    job = delete_product(principal=principal, product=product)
    return Status(202, accept_job(job, response))
