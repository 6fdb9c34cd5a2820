"""Files and folders of a source, and raw text."""

from __future__ import annotations

from urllib.parse import quote

from django.http import HttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_GET

from devrag.core.htmx import render_page
from devrag.products.services import get_visible_product
from devrag.web.links import CURRENT
from devrag.web.pages.files import (
    FilePage,
    get_file_or_folder,
    get_source,
    get_text,
)
from devrag.web.requests import WebRequest, reader_required


@require_GET
@reader_required
def file(
    request: WebRequest, name: str, source: str, version: str, path: str = ""
) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    page = get_file_or_folder(
        product, get_source(product, source), version, path.strip("/")
    )
    template = "web/file.html" if isinstance(page, FilePage) else "web/folder.html"
    return render_page(request, template, {"page": page, "product": product})


@require_GET
@reader_required
def raw(
    request: WebRequest, name: str, source: str, version: str, path: str
) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    found = get_text(get_source(product, source), version, path)
    response = HttpResponse(found.text, content_type="text/plain; charset=utf-8")
    # Text of strangers under our origin: never a document, never a script.
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    filename = quote(path.rpartition("/")[2])
    response["Content-Disposition"] = f"inline; filename*=UTF-8''{filename}"
    if version != CURRENT:
        patch_cache_control(response, private=True, max_age=86_400, immutable=True)
    return response
