"""One product, and the making of its vectors."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRefresh

from devrag.core.htmx import is_partial, redirect_or_location, render_page
from devrag.core.page_urls import product_url
from devrag.products.services import get_maintained_product, get_visible_product
from devrag.search.api import pause_embedding, resume_embedding
from devrag.web.pages.product import get_product_page
from devrag.web.pages.vectors import get_vector_panel
from devrag.web.requests import (
    WebRequest,
    ask_to_sign_in,
    is_signed_in,
    reader_required,
)


@require_GET
@reader_required
def product(request: WebRequest, name: str) -> HttpResponse:
    visible = get_visible_product(name, request.principal)
    page = get_product_page(request.principal, visible)
    if is_partial(request) and not page.poll_seconds:
        return HttpResponseClientRefresh()  # what the jobs made stands elsewhere on it
    return render_page(
        request,
        "web/product.html",
        {"page": page, "product": visible},
        partial="jobs",
    )


@require_GET
@reader_required
def section(request: WebRequest, name: str, page: str) -> HttpResponse:
    """Lead to a page of all products, narrowed to this one: as its tab does."""
    visible = get_visible_product(name, request.principal)
    asked = request.GET.copy()
    asked["product"] = visible.name
    return redirect(f"{reverse(page)}?{asked.urlencode()}")


@require_GET
@reader_required
def vectors(request: WebRequest, name: str) -> HttpResponse:
    """Answer a poll of the share that is searchable by meaning."""
    panel = get_vector_panel(
        request.principal, get_visible_product(name, request.principal)
    )
    return render(request, "components/vector_share.html", {"vectors": panel})


@require_POST
@reader_required
def pause_vectors(request: WebRequest, name: str) -> HttpResponse:
    return _set_pause(request, name, is_wanted=True)


@require_POST
@reader_required
def resume_vectors(request: WebRequest, name: str) -> HttpResponse:
    return _set_pause(request, name, is_wanted=False)


def _set_pause(request: WebRequest, name: str, *, is_wanted: bool) -> HttpResponse:
    if not is_signed_in(request.principal):
        return ask_to_sign_in(request, product_url(name))
    product = get_maintained_product(name, request.principal)
    act = pause_embedding if is_wanted else resume_embedding
    act(principal=request.principal, product=product)
    if not request.htmx:
        return redirect_or_location(request, product_url(name))
    panel = get_vector_panel(request.principal, product)
    return render(request, "components/vector_share.html", {"vectors": panel})
