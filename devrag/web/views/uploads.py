"""Upload files as a source, and in the place of those of a source that is there."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from devrag.core.errors import DevragError
from devrag.core.htmx import redirect_or_location, render_page
from devrag.core.page_urls import job_url, source_url
from devrag.products.models import Product
from devrag.products.services import get_visible_product
from devrag.sources.selectors import check_may_change
from devrag.use_cases.api import add_upload, replace_upload
from devrag.web.pages.allowed_locations import get_allowed_upload
from devrag.web.pages.files import get_source
from devrag.web.requests import (
    WebRequest,
    ask_to_sign_in,
    is_signed_in,
    sign_in_required,
)
from devrag.web.upload_forms import UploadForm, sent_files

TEMPLATE = "web/upload.html"


@require_http_methods(["GET", "POST"])
@sign_in_required
def upload(request: WebRequest) -> HttpResponse:
    """Show the form; store what it sends as a source."""
    if request.method == "GET":
        return _page(request, UploadForm(initial=request.GET.dict()))
    form = UploadForm(request.POST)
    is_first = not Product.objects.visible_to(request.principal).exists()
    if form.is_valid():
        try:
            done = add_upload(
                principal=request.principal,
                files=sent_files(request.FILES),
                **form.request(),
            )
        except DevragError as error:
            form.add_error(None, error.message)
        else:
            # The first one is followed where it was added.
            next_url = reverse("web:dashboard") if is_first else job_url(done.job.pk)
            return redirect_or_location(request, next_url)
    return _page(request, form, status=422)


@require_POST
def replace(request: WebRequest, name: str, source: str) -> HttpResponse:
    """Replace the files of an uploaded source."""
    if not is_signed_in(request.principal):
        return ask_to_sign_in(request, source_url(name, source))
    product = get_visible_product(name, request.principal)
    found = get_source(product, source, request.principal)
    check_may_change(request.principal, found)
    form = UploadForm(request.POST)
    form.full_clean()
    try:
        done = replace_upload(
            principal=request.principal,
            source=found,
            files=sent_files(request.FILES),
        )
    except DevragError as error:
        form.add_error(None, error.message)
        return _page(request, form, status=422, source=found, product=product)
    return redirect_or_location(request, job_url(done.job.pk))


def _page(
    request: WebRequest, form: UploadForm, status: int = 200, **replaced: object
) -> HttpResponse:
    context = {"upload_form": form, "limits": get_allowed_upload(), **replaced}
    return render_page(request, TEMPLATE, context, partial="form", status=status)
