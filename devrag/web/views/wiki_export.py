"""A version of a wiki to take away: an archive of its files, or one Markdown file."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from devrag.core.errors import NotFound
from devrag.products.services import get_visible_product
from devrag.web.requests import WebRequest, reader_required
from devrag.wiki.api import (
    archive_of,
    check_export_size,
    find_readable_wiki,
    find_version,
    one_markdown,
)

_KINDS = {"md": "md", "md.zip": "md", "html.zip": "html"}


@require_GET
@reader_required
def export(request: WebRequest, name: str, number: int, kind: str) -> HttpResponse:
    """Answer with a kept version as a file. kind: `md`, `md.zip` or `html.zip`."""
    if kind not in _KINDS:
        raise NotFound(gettext("This export format does not exist."))
    product = get_visible_product(name, request.principal)
    wiki, _ = find_readable_wiki(product, request.GET.get("language", ""))
    version = find_version(product, number, wiki.language)
    check_export_size(version, _KINDS[kind])
    if kind == "md":
        text = one_markdown(version)
        response = HttpResponse(text, content_type="text/markdown; charset=utf-8")
    else:
        packed = archive_of(version, _KINDS[kind])
        response = HttpResponse(packed, content_type="application/zip")
    file = f"{product.name}-wiki-{version.number}.{kind.removeprefix('md.')}"
    response["Content-Disposition"] = f'attachment; filename="{file}"'
    return response
