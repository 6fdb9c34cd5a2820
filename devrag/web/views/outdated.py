"""Documents that may be outdated: the list, and what maintainers say of them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from devrag.core.htmx import redirect_or_location, render_page
from devrag.products.services import get_maintained_product, get_visible_product
from devrag.web.pages.outdated import get_outdated
from devrag.web.requests import WebRequest, reader_required
from devrag.web.unsent_forms import writer_required
from devrag.wiki.api import check_document


@require_GET
@reader_required
def outdated(request: WebRequest, name: str) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    page = get_outdated(product, request.principal, request.GET.get("state", ""))
    return render_page(request, "web/outdated.html", {"product": product, "page": page})


@require_POST
@writer_required
def check(request: WebRequest, name: str, document_id: int) -> HttpResponse:
    """Keep whether a document is still right."""
    product = get_maintained_product(name, request.principal)
    is_right = request.POST.get("is_right") == "1"
    check_document(
        principal=request.principal,
        product=product,
        document_id=document_id,
        is_right=is_right,
    )
    said = (
        gettext("Marked as correct until its code changes again.")
        if is_right
        else gettext("The document is listed again.")
    )
    messages.success(request, said)
    return redirect_or_location(request, reverse("web:outdated", args=[product.name]))
