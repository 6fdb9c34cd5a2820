"""The page of a definition, and the short of it beside a file."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from devrag.core.htmx import is_partial, render_page
from devrag.products.services import get_visible_product
from devrag.web.pages.files import get_source
from devrag.web.pages.related import get_related
from devrag.web.pages.symbol import get_symbol_page, get_symbol_uses
from devrag.web.pages.symbol_links import find_symbol
from devrag.web.requests import WebRequest, reader_required


@require_GET
@reader_required
def symbol(
    request: WebRequest, name: str, source: str, version: str, uuid: UUID
) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    found = find_symbol(
        product, get_source(product, source, request.principal), version, uuid
    )
    context = {
        "product": product,
        "uses": get_symbol_uses(found),
        "page": None if is_partial(request) else get_symbol_page(found),
    }
    return render_page(request, "web/symbol.html", context, partial="summary")


@require_GET
@reader_required
def related(
    request: WebRequest, name: str, source: str, version: str, uuid: UUID
) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    find_symbol(product, get_source(product, source, request.principal), version, uuid)
    page = get_related(request.principal, product, uuid)
    return render_page(request, "web/related.html", {"page": page})
