"""Labels of a product's files: the vocabulary, and corrections by hand."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar

from django.http import HttpRequest, HttpResponse
from ninja import Field, Router, Status

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import INDEX, NO_NUL, Request, caller
from devrag.api.paging import Page, cut_page
from devrag.api.products import find_product
from devrag.api.sample_values import TIME
from devrag.api.sources import find_source
from devrag.core.principal import Principal
from devrag.labels.api import CountedLabel, corrections_of, list_labels
from devrag.labels.models import Label, LabelCorrection
from devrag.labels.types import title_of
from devrag.products.models import Product
from devrag.products.services import get_maintained_product
from devrag.sources.api import clean_path
from devrag.use_cases.api import (
    add_label,
    change_label,
    correct_label,
    remove_label,
    withdraw_corrections,
)

of_products = Router(tags=["labels"], by_alias=True)
of_sources = Router(tags=["labels"], by_alias=True)
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=NO_NUL)]
Description = Annotated[str, Field(max_length=10_000, pattern=NO_NUL)]
Pattern = Annotated[str, Field(max_length=2000, pattern=NO_NUL)]


class LabelChange(Request):
    """What can be changed of a label; what is left out stays as it is."""

    name: Name | None = None
    description: Description | None = Field(
        None, description="Description of the files; compared with their vectors."
    )
    paths: list[Pattern] | None = Field(
        None,
        max_length=100,
        description="Path patterns whose files always have the label: `billing/`, "
        "`src/**/*.sql`, `*_test.go`.",
    )

    EXAMPLE: ClassVar = {
        "description": "invoices, payments and refunds of customers",
        "paths": ["billing/"],
    }


class NewLabel(LabelChange):
    """A topic of the product, or a built-in label that was removed."""

    name: Name

    EXAMPLE: ClassVar = {"name": "billing", **LabelChange.EXAMPLE}


class LabelOut(JsonSchema):
    """A label. kind: of a built-in one its kind, else empty. fileCount: current files
    that have it.
    """

    label_id: int
    name: str
    title: str = Field(description="Display name in the language of the request.")
    kind: str
    description: str
    paths: list[str]
    file_count: int

    EXAMPLE: ClassVar = {
        "labelID": 7,
        "name": "auth",
        "title": "Authentication",
        "kind": "auth",
        "description": "",
        "paths": [],
        "fileCount": 12,
    }


class NewCorrection(Request):
    """Whether the file has the label."""

    is_assigned: bool = True

    EXAMPLE: ClassVar = {"isAssigned": False}


class CorrectionOut(JsonSchema):
    """A user's correction of a label of a file, also for its later versions."""

    source_name: str
    path: str
    label: str
    is_assigned: bool
    author: str
    corrected_at: datetime

    EXAMPLE: ClassVar = {
        "sourceName": "backend-api",
        "path": "shop/cart.py",
        "label": "auth",
        "isAssigned": False,
        "author": "alice",
        "correctedAt": TIME,
    }


@of_products.get(
    "/{int:productID}/labels", response={200: list[LabelOut], **describe_errors(404)}
)
def list_product_labels(request: HttpRequest, productID: int) -> list[dict[str, Any]]:
    """List the labels of a product's files, by name: at most 100."""
    principal = caller(request)
    product = find_product(principal, productID)
    return list(map(_describe, list_labels(product, principal)))


@of_products.post(
    "/{int:productID}/labels",
    auth=INDEX,
    response={201: LabelOut, **describe_errors(404, 409, 413, 415)},
)
def add_product_label(
    request: HttpRequest, productID: int, body: NewLabel
) -> Status[dict[str, Any]]:
    """Add a label to a product; a job assigns it to files."""
    product = find_product(caller(request), productID)
    label = add_label(
        principal=caller(request),
        product=product,
        name=body.name,
        description=body.description or "",
        paths=body.paths or (),
    )
    return Status(201, _describe_one(product, label, caller(request)))


@of_products.patch(
    "/{int:productID}/labels/{int:labelID}",
    auth=INDEX,
    response={200: LabelOut, **describe_errors(404, 409, 413, 415)},
)
def change_product_label(
    request: HttpRequest, productID: int, labelID: int, body: LabelChange
) -> dict[str, Any]:
    """Change the name, description or path patterns of a label."""
    product = find_product(caller(request), productID)
    label = change_label(
        principal=caller(request),
        product=product,
        label_id=labelID,
        changes=body.model_dump(exclude_none=True),
    )
    return _describe_one(product, label, caller(request))


@of_products.delete(
    "/{int:productID}/labels/{int:labelID}",
    auth=INDEX,
    response={204: None, **describe_errors(404)},
)
def remove_product_label(
    request: HttpRequest, productID: int, labelID: int
) -> Status[None]:
    """Remove a label from a product, with all files and pages."""
    product = find_product(caller(request), productID)
    remove_label(principal=caller(request), product=product, label_id=labelID)
    return Status(204, None)


@of_products.get(
    "/{int:productID}/label-corrections",
    response={200: list[CorrectionOut], **describe_errors(404)},
)
def list_label_corrections(
    request: HttpRequest, productID: int, response: HttpResponse, page: Page
) -> list[dict[str, Any]]:
    """List the corrections of labels, newest first.

    Maintainers only, because it contains users and dates.
    """
    product = find_product(caller(request), productID)
    get_maintained_product(product.name, caller(request))
    rows = corrections_of(product, caller(request))
    found = cut_page(request, response, rows, page, by=["-updated_at", "-pk"])
    return list(map(_describe_correction, found))


@of_sources.put(
    "/{int:sourceID}/labels/{label}/{path:path}",
    auth=INDEX,
    response={200: CorrectionOut, **describe_errors(404, 413, 415)},
)
def correct_file_label(
    request: HttpRequest, sourceID: int, label: str, path: str, body: NewCorrection
) -> dict[str, Any]:
    """Add a label to a file or remove it, also for later versions."""
    correction = correct_label(
        principal=caller(request),
        source=find_source(caller(request), sourceID),
        path=clean_path(path),
        name=label,
        is_assigned=body.is_assigned,
    )
    return _describe_correction(correction)


@of_sources.delete(
    "/{int:sourceID}/labels/{label}/{path:path}",
    auth=INDEX,
    response={204: None, **describe_errors(404)},
)
def withdraw_file_label_correction(
    request: HttpRequest, sourceID: int, label: str, path: str
) -> Status[None]:
    """Withdraw a correction; labels are assigned automatically again."""
    withdraw_corrections(
        principal=caller(request),
        source=find_source(caller(request), sourceID),
        path=clean_path(path),
        names=[label],
    )
    return Status(204, None)


def _describe_one(
    product: Product, label: Label, principal: Principal
) -> dict[str, Any]:
    counted = {each.label.pk: each for each in list_labels(product, principal)}
    return _describe(counted[label.pk])


def _describe(counted: CountedLabel) -> dict[str, Any]:
    label = counted.label
    return {
        "labelID": label.pk,
        "name": label.name,
        "title": title_of(label.name, label.kind),
        "kind": label.kind,
        "description": label.description,
        "paths": label.paths,
        "fileCount": counted.files,
    }


def _describe_correction(row: LabelCorrection) -> dict[str, Any]:
    return {
        "sourceName": row.source.name,
        "path": row.path,
        "label": row.label.name,
        "isAssigned": row.is_assigned,
        "author": row.author_name,
        "correctedAt": row.updated_at,
    }
