"""The sources of a product, each of them, and what maintainers do to it."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRefresh

from devrag.core.errors import InvalidInput, NotFound
from devrag.core.htmx import is_partial, redirect_or_location, render_page
from devrag.core.page_urls import job_url, source_url
from devrag.products.models import Product
from devrag.products.services import get_visible_product
from devrag.sources.models import Source
from devrag.sources.schedule import MAX_MINUTES, set_schedule
from devrag.sources.selectors import check_may_change, get_visible_source
from devrag.sources.services import update_source
from devrag.use_cases.api import limit_source, request_index
from devrag.web.forms import ChunkingForm, ScheduleForm
from devrag.web.pages.files import get_source
from devrag.web.pages.source import SourcePage, get_source_page
from devrag.web.pages.source_list import SourceListPage, get_source_list
from devrag.web.requests import (
    WebRequest,
    ask_to_sign_in,
    is_signed_in,
    reader_required,
)


@require_GET
@reader_required
def sources(request: WebRequest, name: str) -> HttpResponse:
    """List the sources of a product."""
    product = get_visible_product(name, request.principal)
    page = get_source_list(request.principal, product)
    return _show(request, "web/sources.html", product, page)


@require_GET
@reader_required
def source(request: WebRequest, name: str, source: str) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    page = get_source_page(
        request.principal, product, get_source(product, source, request.principal)
    )
    return _show(request, "web/source.html", product, page)


def _show(
    request: WebRequest,
    template: str,
    product: Product,
    page: SourcePage | SourceListPage,
) -> HttpResponse:
    """Render a page, or its jobs for a poll until none is open."""
    if is_partial(request) and not page.poll_seconds:
        return HttpResponseClientRefresh()  # what the jobs made stands elsewhere on it
    context = {"page": page, "product": product}
    return render_page(request, template, context, partial="jobs")


@require_POST
@reader_required
def index(request: WebRequest, name: str, source: str) -> HttpResponse:
    if not is_signed_in(request.principal):
        return ask_to_sign_in(request, source_url(name, source))
    product = get_visible_product(name, request.principal)
    found = get_source(product, source, request.principal)
    job = request_index(principal=request.principal, source=found)
    return redirect_or_location(request, job_url(job.pk))


@require_POST
@reader_required
def schedule(request: WebRequest, name: str, source: str) -> HttpResponse:
    if not is_signed_in(request.principal):
        return ask_to_sign_in(request, source_url(name, source))
    found = _find_source(request, name, source)
    form = ScheduleForm(request.POST)
    if not form.is_valid():
        raise InvalidInput(
            gettext(
                "Enter a whole number of minutes from 1 to %(most)s, or leave the"
                " field empty to index the source on request only."
            )
            % {"most": f"{MAX_MINUTES:,}"}
        )
    set_schedule(
        principal=request.principal,
        source=found,
        every_minutes=form.cleaned_data["minutes"],
        is_wiki_wanted=form.cleaned_data["wiki"],
    )
    return redirect_or_location(request, source_url(name, source))


@require_POST
@reader_required
def chunking(request: WebRequest, name: str, source: str) -> HttpResponse:
    if not is_signed_in(request.principal):
        return ask_to_sign_in(request, source_url(name, source))
    found = _find_source(request, name, source)
    check_may_change(request.principal, found)
    form = ChunkingForm(request.POST)
    if not form.is_valid():
        raise InvalidInput(
            gettext("Enter whole numbers, or leave a field empty for its default.")
        )
    update_source(source=found, settings=form.cleaned_data)
    return redirect_or_location(request, source_url(name, source))


@require_POST
@reader_required
def members(request: WebRequest, name: str, source: str) -> HttpResponse:
    """Limit a source to the members that were chosen, or open it to all readers."""
    if not is_signed_in(request.principal):
        return ask_to_sign_in(request, source_url(name, source))
    found = _find_source(request, name, source)
    is_limited = request.POST.get("limit") == "some"
    chosen = request.POST.getlist("members") if is_limited else None
    limit_source(principal=request.principal, source=found, members=chosen)
    return redirect_or_location(request, source_url(name, found.name))


def _find_source(request: WebRequest, name: str, source: str) -> Source:
    found = get_visible_source(request.principal, name=source)
    if found.product.name != name:
        raise NotFound(
            gettext("'%(product)s' has no source '%(source)s'.")
            % {"product": name, "source": source}
        )
    return found
