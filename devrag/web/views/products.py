"""A product's page."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from devrag.core.htmx import render_page
from devrag.products.services import get_visible_product
from devrag.web.pages.product import get_product_page
from devrag.web.requests import WebRequest, reader_required


@require_GET
@reader_required
def product(request: WebRequest, name: str) -> HttpResponse:
    visible = get_visible_product(name, request.principal)
    page = get_product_page(request.principal, visible)
    return render_page(
        request,
        "web/product.html",
        {"page": page, "product": visible},
        partial="jobs",
    )
