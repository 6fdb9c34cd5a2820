"""The dashboard, and adding a repository from it."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from devrag.core.errors import DevragError
from devrag.core.htmx import redirect_or_location, render_page
from devrag.core.page_urls import job_url
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.sources.addresses import split_login
from devrag.sources.api import list_folders
from devrag.sources.models import Source
from devrag.use_cases.api import add_repository, check_connection
from devrag.web.forms import AddRepositoryForm
from devrag.web.pages.dashboard import Dashboard, get_dashboard
from devrag.web.pages.first_run import get_first_run
from devrag.web.requests import (
    WebRequest,
    is_signed_in,
    reader_required,
    sign_in_required,
)
from devrag.web.upload_forms import UploadForm
from devrag.web.views.add_source import show_connection

TEMPLATE, FOLDERS = "web/dashboard.html", "web/folders.html"


@require_GET
@reader_required
def dashboard(request: WebRequest) -> HttpResponse:
    page = get_dashboard(request.principal)
    # What was typed before signing in comes back in the query.
    form = AddRepositoryForm(initial=request.GET.dict())
    return render_page(request, TEMPLATE, _context(page, form), partial="cards")


def _context(page: Dashboard, form: AddRepositoryForm) -> dict[str, Any]:
    return {"page": page, "form": form, "upload_form": UploadForm()}


@require_GET
@reader_required
def first(request: WebRequest, job_id: uuid.UUID) -> HttpResponse:
    """Answer a poll of the first repository's way to its wiki."""
    context = {"first": get_first_run(request.principal, job_id)}
    return render(request, "components/first_run.html", context)


@require_GET
@sign_in_required
def folders(request: WebRequest) -> HttpResponse:
    """Answer with the folders of the server to choose from, in one of them."""
    path = request.GET.get("path", "")
    try:
        listing = list_folders(request.principal, path)
    except DevragError as error:
        context, status = {"error": error.message}, error.http_status
        return render_page(request, FOLDERS, context, partial="picker", status=status)
    return render_page(request, FOLDERS, {"listing": listing}, partial="picker")


@require_POST
@reader_required
def test_location(request: WebRequest) -> HttpResponse:
    """Answer with what a repository or folder would give; store nothing."""
    if not is_signed_in(request.principal):
        return _sign_in(request)
    form, back = AddRepositoryForm(request.POST), reverse("web:dashboard")
    if not form.is_valid():
        errors = [text for texts in form.errors.values() for text in texts]
        return show_connection(request, errors=errors, back=back)
    try:
        found = check_connection(principal=request.principal, **form.tested())
    except DevragError as error:
        return show_connection(request, errors=[error.message], back=back)
    return show_connection(request, found=found, back=back)


def _sign_in(request: WebRequest) -> HttpResponse:
    """Lead to the sign-in page and back to the form with what was typed."""
    given = {name: request.POST.get(name, "") for name in AddRepositoryForm.base_fields}
    given["location"] = split_login(given["location"])[0]  # addresses are logged
    typed = urlencode(given)
    sign_in = urlencode({"next": f"{reverse('web:dashboard')}?{typed}"})
    return redirect_or_location(request, f"{reverse('web:sign_in')}?{sign_in}")


def _tell_known(request: WebRequest, job: Job, began: datetime) -> None:
    """Say that a location was a source before; it is only indexed again."""
    known = Source.objects.filter(pk=job.params["sourceID"], created_at__lt=began)
    if known.exists():
        messages.info(
            request,
            gettext(
                "%(source)s is already a source of %(product)s. It is indexed again."
            )
            % {"source": job.source_name, "product": job.product},
        )


@require_POST
@reader_required
def add(request: WebRequest) -> HttpResponse:
    form = AddRepositoryForm(request.POST)
    if not is_signed_in(request.principal):
        return _sign_in(request)
    began = timezone.now()
    is_first = not Product.objects.visible_to(request.principal).exists()
    if form.is_valid():
        try:
            job = add_repository(principal=request.principal, **form.request())
        except DevragError as error:
            form.add_error("location", error.message)
        else:
            _tell_known(request, job, began)
            # The first one is followed where it was pasted.
            next_url = reverse("web:dashboard") if is_first else job_url(job.pk)
            return redirect_or_location(request, next_url)
    context = _context(get_dashboard(request.principal), form)
    # 422: htmx swaps the form in place, browsers show the page, nothing typed is lost.
    return render_page(request, TEMPLATE, context, partial="add-form", status=422)
