"""How a product does over time."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from devrag.core.htmx import render_page
from devrag.products.services import get_visible_product
from devrag.web.pages.insights import get_insights_page
from devrag.web.requests import WebRequest, reader_required


@require_GET
@reader_required
def insights(request: WebRequest, name: str) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    period = request.GET.get("days", "")
    page = get_insights_page(request.principal, product, period)
    context = {"product": product, "page": page}
    return render_page(request, "web/insights.html", context)
