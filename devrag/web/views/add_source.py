"""Connect a wiki, a tracker or a private repository; test it before it is stored."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from devrag.core.errors import DevragError
from devrag.core.htmx import redirect_or_location
from devrag.core.page_urls import job_url, source_url
from devrag.core.principal import Role
from devrag.products.models import Product
from devrag.products.services import get_visible_product
from devrag.use_cases.api import add_repository, check_connection, check_source
from devrag.web.pages.files import get_source
from devrag.web.requests import (
    WebRequest,
    ask_to_sign_in,
    is_signed_in,
    reader_required,
)
from devrag.web.source_forms import AddSourceForm

TEMPLATE, _RESULT = "web/add_source.html", "components/connection.html"


@sensitive_post_parameters("secret")
@require_http_methods(["GET", "POST"])
@reader_required
def add_source(request: WebRequest) -> HttpResponse:
    """Show the form; register what it names, once it answers."""
    if not is_signed_in(request.principal):
        return _sign_in(request)
    if request.method == "GET":
        return _page(request, AddSourceForm(initial=request.GET.dict()))
    form = AddSourceForm(request.POST)
    if form.is_valid():
        try:
            job = add_repository(
                principal=request.principal,
                members=form.member_names,
                **form.wiki_request(),
                **form.request(),
            )
        except DevragError as error:
            form.add_error(None, error.message)
        else:
            return redirect_or_location(request, job_url(job.pk))
    return _page(request, form, status=422)


def _page(request: WebRequest, form: AddSourceForm, status: int = 200) -> HttpResponse:
    rows = Product.objects.maintained_by(request.principal).order_by("name")
    known = list(rows.values_list("name", flat=True))
    may_add = bool(known) or request.principal.role >= Role.MAINTAINER
    context = {"form": form, "known": known, "may_add": may_add}
    return render(request, TEMPLATE, context, status=status)


def _sign_in(request: WebRequest) -> HttpResponse:
    """Lead to the sign-in page and back, without anything that was typed.

    A token must neither stand in an address nor in a page.
    """
    query = urlencode({"next": reverse("web:add_source")})
    return redirect_or_location(request, f"{reverse('web:sign_in')}?{query}")


@sensitive_post_parameters("secret")
@require_POST
@reader_required
def test_connection(request: WebRequest) -> HttpResponse:
    """Answer with what a source would read; store nothing."""
    if not is_signed_in(request.principal):
        return _sign_in(request)
    form = AddSourceForm(request.POST)
    if not form.is_valid():
        errors = [text for texts in form.errors.values() for text in texts]
        return show_connection(request, errors=errors)
    try:
        found = check_connection(principal=request.principal, **form.request())
    except DevragError as error:
        return show_connection(request, errors=[error.message])
    return show_connection(request, found=found)


@require_POST
@reader_required
def test_source(request: WebRequest, name: str, source: str) -> HttpResponse:
    """Answer with what a source that is there would read now."""
    if not is_signed_in(request.principal):
        return ask_to_sign_in(request, source_url(name, source))
    product = get_visible_product(name, request.principal)
    found = get_source(product, source, request.principal)
    try:
        connection = check_source(principal=request.principal, source=found)
    except DevragError as error:
        if error.http_status in {403, 404} and not _may_change(request, product):
            raise
        return show_connection(request, errors=[error.message], product=product)
    return show_connection(request, found=connection, product=product)


def _may_change(request: WebRequest, product: Product) -> bool:
    rows = Product.objects.maintained_by(request.principal)
    return rows.filter(pk=product.pk).exists()


def show_connection(request: WebRequest, **result: object) -> HttpResponse:
    """Answer with the result alone, or with a page of it."""
    status = 422 if result.get("errors") else 200
    if request.htmx:
        return render(request, _RESULT, result, status=status)
    return render(request, "web/connection.html", result, status=status)
