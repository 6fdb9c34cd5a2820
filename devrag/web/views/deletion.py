"""Deleting a source or a product: a question with counts, then a job."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from devrag.core.htmx import redirect_or_location, render_page
from devrag.core.page_urls import job_url
from devrag.products.services import get_maintained_product
from devrag.use_cases.deletion.request import delete_product, delete_source
from devrag.web.pages.deletion import get_product_deletion, get_source_deletion
from devrag.web.pages.files import get_source
from devrag.web.requests import (
    WebRequest,
    ask_to_sign_in,
    is_signed_in,
    reader_required,
)

_TEMPLATE = "web/delete.html"


@require_http_methods(["GET", "POST"])
@reader_required
def source(request: WebRequest, name: str, source: str) -> HttpResponse:
    here = reverse("web:source_delete", args=[name, source])
    if not is_signed_in(request.principal):
        return ask_to_sign_in(request, here)
    product = get_maintained_product(name, request.principal)
    found = get_source(product, source, request.principal)
    if request.method == "POST":
        job = delete_source(principal=request.principal, source=found)
        return redirect_or_location(request, job_url(job.pk))
    page = get_source_deletion(request.principal, found)
    return render_page(request, _TEMPLATE, {"page": page, "product": product})


@require_http_methods(["GET", "POST"])
@reader_required
def product(request: WebRequest, name: str) -> HttpResponse:
    if not is_signed_in(request.principal):
        return ask_to_sign_in(request, reverse("web:product_delete", args=[name]))
    found = get_maintained_product(name, request.principal)
    is_asked = request.method == "GET"
    page = get_product_deletion(request.principal, found)
    typed = request.POST.get("typed", "").strip()
    if not is_asked and page.typed_name in {"", typed}:
        job = delete_product(principal=request.principal, product=found)
        return redirect_or_location(request, job_url(job.pk))
    error = (
        ""
        if is_asked
        else gettext("The name does not match “%(name)s”. Nothing was deleted.")
        % {"name": found.name}
    )
    context = {"page": page, "product": found, "error": error}
    return render_page(request, _TEMPLATE, context, status=200 if is_asked else 400)
