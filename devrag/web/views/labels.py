"""The labels of a product, and what people correct about those of a file."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from devrag.core.errors import DevragError
from devrag.core.htmx import redirect_or_location, render_page
from devrag.core.page_urls import file_url
from devrag.labels.api import labels_of_file
from devrag.products.models import Product
from devrag.products.services import get_maintained_product, get_visible_product
from devrag.sources.api import get_current_file
from devrag.sources.selectors import CURRENT_VERSION
from devrag.use_cases.api import add_label, change_label, remove_label
from devrag.web.pages.files import get_source
from devrag.web.pages.labels import (
    get_labels_page,
    list_choices,
    reset_choices,
    save_choices,
)
from devrag.web.requests import WebRequest, reader_required, sign_in_required
from devrag.web.settings_forms import LabelForm


@require_http_methods(["GET"])
@reader_required
def labels(request: WebRequest, name: str) -> HttpResponse:
    return _page(request, get_visible_product(name, request.principal))


@require_POST
@sign_in_required
def add(request: WebRequest, name: str) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    form = LabelForm(request.POST)
    if form.is_valid():
        try:
            add_label(principal=request.principal, product=product, **form.changes)
        except DevragError as error:
            form.add_error("name", error.message)
        else:
            said = gettext("Label added. It is assigned to files in the background.")
            return _done(request, name, said)
    return _page(request, product, form=form, status=422)


@require_POST
@sign_in_required
def change(request: WebRequest, name: str, label_id: int) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    form = LabelForm(request.POST)
    if form.is_valid():
        try:
            change_label(
                principal=request.principal,
                product=product,
                label_id=label_id,
                changes=form.changes,
            )
        except DevragError as error:
            form.add_error("name", error.message)
        else:
            return _done(request, name, gettext("Saved."))
    return _page(request, product, changed=(label_id, form), status=422)


@require_POST
@sign_in_required
def remove(request: WebRequest, name: str, label_id: int) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    remove_label(principal=request.principal, product=product, label_id=label_id)
    return _done(request, name, gettext("Label removed."))


@require_POST
@sign_in_required
def correct(request: WebRequest, name: str, source: str, path: str) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    found = get_source(product, source, request.principal)
    file = get_current_file(found, path)
    choices = list_choices(product, found, path, labels_of_file(file.pk))
    with transaction.atomic():
        if "reset" in request.POST:
            reset_choices(request.principal, found, path, choices)
        else:
            save_choices(
                request.principal,
                found,
                path,
                shown=request.POST.getlist("shown"),
                chosen=request.POST.getlist("labels"),
                choices=choices,
            )
    messages.success(request, gettext("Saved."))
    url = file_url(product.name, found.name, CURRENT_VERSION, path)
    return redirect_or_location(request, url)


def _done(request: WebRequest, name: str, said: str) -> HttpResponse:
    messages.success(request, said)
    return redirect_or_location(request, reverse("web:labels", args=[name]))


def _page(
    request: WebRequest,
    product: Product,
    *,
    form: LabelForm | None = None,
    changed: tuple[int, LabelForm] | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "product": product,
        "page": get_labels_page(request.principal, product),
        "form": form or LabelForm(),
        "changed_id": changed[0] if changed else None,
        "changed_form": changed[1] if changed else None,
    }
    return render_page(request, "web/labels.html", context, status=status)
