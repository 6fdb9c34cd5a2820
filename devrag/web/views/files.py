"""Files and folders of a source, and raw text."""

from __future__ import annotations

from urllib.parse import quote

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_GET
from django_htmx.http import HttpResponseClientRefresh

from devrag.core.htmx import is_partial, render_page
from devrag.core.page_urls import file_url
from devrag.products.services import get_visible_product, may_maintain
from devrag.sources.selectors import CURRENT_VERSION
from devrag.web.forms import PartForm, RangeForm
from devrag.web.pages.article import get_article, get_excerpt
from devrag.web.pages.code import get_window
from devrag.web.pages.conflicts import conflicts_in_file
from devrag.web.pages.files import (
    FilePage,
    FolderPage,
    PageRange,
    get_file_or_folder,
    get_source,
    get_text,
)
from devrag.web.pages.mentions import get_mentions
from devrag.web.pages.outdated import outdated_at
from devrag.web.pages.paths import resolve_repository_link
from devrag.web.pages.version_menu import list_versions
from devrag.web.requests import WebRequest, reader_required


@require_GET
@reader_required
def file(
    request: WebRequest, name: str, source: str, version: str, path: str = ""
) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    form = PartForm(request.GET)
    form.is_valid()
    wanted = PageRange(
        line=form.cleaned_data.get("line") or 1,
        entry=form.cleaned_data.get("entry") or 0,
        is_outline_whole=form.cleaned_data.get("outline") == "all",
        is_lines=form.cleaned_data.get("view") == "lines" or "line" in request.GET,
        has_readme=not is_partial(request),
    )
    page = get_file_or_folder(
        product,
        get_source(product, source, request.principal),
        version,
        path.strip("/"),
        wanted,
        request.principal,
    )
    if isinstance(page, FolderPage):
        if not is_partial(request) or wanted.entry:
            return _render(request, "web/folder.html", page, "entries")
        if not page.poll_seconds:
            return HttpResponseClientRefresh()  # it waited for its index
        return _render(request, "web/folder.html", page, "waiting")
    part = "outline" if wanted.is_outline_whole else "block"
    return _render(request, "web/file.html", page, part)


@require_GET
@reader_required
def preview(
    request: WebRequest, name: str, source: str, version: str, path: str
) -> HttpResponse:
    """Answer with a few lines among those around them, for a list of hits."""
    product = get_visible_product(name, request.principal)
    read_from = get_source(product, source, request.principal)
    found, _ = get_text(read_from, version, path)
    form = RangeForm(request.GET)
    if not form.is_valid():
        return HttpResponse(status=400)
    first, last = form.cleaned_data["first"], form.cleaned_data["last"]
    links = resolve_repository_link(name, source, version, path)
    article = get_article(found, links) if read_from.has_documents else None
    context = {
        "article": get_excerpt(article, first, last) if article else None,
        "lines": () if article else get_window(found, first, last),
        "first": first,
        "last": last,
        "path": found.title if article else path,
        "url": file_url(name, source, version, path, first, last),
    }
    return render(request, "components/preview.html", context)


@require_GET
@reader_required
def mentions(request: WebRequest, name: str, source: str, path: str) -> HttpResponse:
    """Answer with the menu of what mentions a file and what it mentions."""
    product = get_visible_product(name, request.principal)
    found = get_source(product, source, request.principal)
    file, _ = get_text(found, CURRENT_VERSION, path)
    page = get_mentions(request.principal, product, found, file)
    return render(request, "components/mentions.html", {"page": page})


def _render(
    request: WebRequest, template: str, page: FilePage | FolderPage, part: str
) -> HttpResponse:
    product = page.place.product
    context: dict[str, object] = {"page": page, "product": product}
    if not is_partial(request):
        place = page.place
        context["versions"] = list_versions(
            product, place.source, place.version, place.path
        )
    is_current = page.place.version == CURRENT_VERSION
    if isinstance(page, FilePage) and is_current and not is_partial(request):
        source, path = page.place.source, page.place.path
        context["conflicts"] = conflicts_in_file(
            product, request.principal, source.pk, path
        )
        context["outdated"] = outdated_at(product, request.principal, source.pk, path)
        context["may_maintain"] = may_maintain(request.principal, product)
    return render_page(request, template, context, partial=part)


@require_GET
@reader_required
def raw(
    request: WebRequest, name: str, source: str, version: str, path: str
) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    found, is_fixed = get_text(
        get_source(product, source, request.principal), version, path
    )
    response = HttpResponse(found.text, content_type="text/plain; charset=utf-8")
    # Text of strangers under our origin: never a document, never a script.
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    filename = quote(path.rpartition("/")[2])
    response["Content-Disposition"] = f"inline; filename*=UTF-8''{filename}"
    if is_fixed:
        patch_cache_control(response, private=True, max_age=86_400, immutable=True)
    return response
