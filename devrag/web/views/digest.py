"""The weekly digest of a product: a preview, where it goes, a test."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from devrag.core.errors import DevragError
from devrag.core.htmx import redirect_or_location, render_page
from devrag.products.models import Product
from devrag.products.services import get_maintained_product
from devrag.use_cases.api import (
    DigestOptions,
    change_digest,
    get_digest_options,
    preview_digest,
    send_again,
    send_test_digest,
    subject_of,
)
from devrag.web.requests import WebRequest, sign_in_required
from devrag.web.settings_forms import DigestForm


@require_GET
@sign_in_required
def digest(request: WebRequest, name: str) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    return _page(request, product, get_digest_options(request.principal, product))


@require_POST
@sign_in_required
def change(request: WebRequest, name: str) -> HttpResponse:
    """Choose where the digest goes; a new secret is shown on the page that answers."""
    product = get_maintained_product(name, request.principal)
    form = DigestForm(request.POST)
    if form.is_valid():
        try:
            options = change_digest(
                principal=request.principal, product=product, **form.choice
            )
        except DevragError as error:
            form.add_error(None, error.message)
        else:
            messages.success(request, gettext("Saved."))
            if options.secret:
                return _page(request, product, options)
            return _back(request, name)
    options = get_digest_options(request.principal, product)
    return _page(request, product, options, form=form, status=422)


@require_POST
@sign_in_required
def send(request: WebRequest, name: str) -> HttpResponse:
    """Send one now, as a test."""
    product = get_maintained_product(name, request.principal)
    to = getattr(request.user, "email", "")
    try:
        where = send_test_digest(principal=request.principal, product=product, to=to)
    except DevragError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, gettext("Sent to %(where)s.") % {"where": where})
    return _back(request, name)


@require_POST
@sign_in_required
def retry(request: WebRequest, name: str) -> HttpResponse:
    """Send the newest digest once more."""
    product = get_maintained_product(name, request.principal)
    try:
        send_again(principal=request.principal, product=product)
    except DevragError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, gettext("It will be sent again within five minutes."))
    return _back(request, name)


def _back(request: WebRequest, name: str) -> HttpResponse:
    return redirect_or_location(request, reverse("web:digest", args=[name]))


def _page(
    request: WebRequest,
    product: Product,
    options: DigestOptions,
    *,
    form: DigestForm | None = None,
    status: int = 200,
) -> HttpResponse:
    found = preview_digest(request.principal, product)
    context = {
        "product": product,
        "options": options,
        "digest": found,
        "subject": subject_of(found),
        "form": form or DigestForm.of(options),
    }
    return render_page(request, "web/digest.html", context, status=status)
