"""A version of a wiki to take away: one archive of its files, whatever their format."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router

from devrag.api.errors import describe_errors
from devrag.api.operations import Number, caller
from devrag.api.products import find_product
from devrag.api.versions import InLanguage, small_number
from devrag.core.errors import NotFound
from devrag.wiki.api import (
    archive_of,
    check_export_size,
    find_readable_wiki,
    find_version,
)

router = Router(tags=["wiki"], by_alias=True)
_TYPE = "application/zip"


class ExportQuery(InLanguage):
    kind: Literal["md", "html", "zip"] = Field(
        "md", alias="format", description="zip: both formats, as in `wiki export`."
    )
    version: Number | None = Field(None, description="Default: the published version.")


@router.get(
    "/{int:productID}/wiki/export",
    response=describe_errors(404, 409),
    openapi_extra={
        "responses": {
            200: {
                "description": (
                    "The archive, with all files in a folder named like the product."
                ),
                "content": {_TYPE: {"schema": {"type": "string", "format": "binary"}}},
            }
        }
    },
)
def export_wiki(
    request: HttpRequest, productID: int, wanted: Annotated[ExportQuery, Query(...)]
) -> HttpResponse:
    """Return a version of a wiki as a zip file, with `llms.txt`."""
    product = find_product(caller(request), productID)
    wiki = find_readable_wiki(product, wanted.language)[0]
    version = wiki.current
    if wanted.version is not None:
        number = small_number(wanted.version)
        version = find_version(product, number, wiki.language)
    if version is None:
        raise NotFound(f"'{product.name}' has no wiki yet.")
    check_export_size(version, wanted.kind)
    name = f"{product.name}-wiki-{version.number}.zip"
    response = HttpResponse(archive_of(version, wanted.kind), content_type=_TYPE)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
