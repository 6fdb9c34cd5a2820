"""Replace the token that is kept for a source; the old one is never shown."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from devrag.core.errors import DevragError
from devrag.core.htmx import redirect_or_location
from devrag.core.page_urls import source_url
from devrag.products.services import get_visible_product
from devrag.sources.models import Source
from devrag.sources.selectors import check_may_change
from devrag.use_cases.api import check_token, remove_token, replace_token
from devrag.web.pages.files import get_source
from devrag.web.requests import (
    WebRequest,
    ask_to_sign_in,
    is_signed_in,
    reader_required,
)
from devrag.web.source_forms import TokenForm
from devrag.web.views.add_source import show_connection


@sensitive_post_parameters("secret")
@require_POST
@reader_required
def token(request: WebRequest, name: str, source: str) -> HttpResponse:
    """Try another token, keep it, or remove the one that is kept."""
    if not is_signed_in(request.principal):
        return ask_to_sign_in(request, source_url(name, source))
    product = get_visible_product(name, request.principal)
    found = get_source(product, source, request.principal)
    check_may_change(request.principal, found)
    if request.POST.get("action") == "remove":
        remove_token(principal=request.principal, source=found)
        return redirect_or_location(request, source_url(name, source))
    return _try(request, found)


def _try(request: WebRequest, source: Source) -> HttpResponse:
    form, product = TokenForm(request.POST), source.product
    if not form.is_valid():
        errors = [text for texts in form.errors.values() for text in texts]
        return show_connection(request, errors=errors, product=product)
    is_test = request.POST.get("action") == "test"
    use = check_token if is_test else replace_token
    try:
        found = use(
            principal=request.principal, source=source, credentials=form.credentials()
        )
    except DevragError as error:
        return show_connection(request, errors=[error.message], product=product)
    if is_test:
        return show_connection(request, found=found, product=product)
    return redirect_or_location(request, source_url(product.name, source.name))
