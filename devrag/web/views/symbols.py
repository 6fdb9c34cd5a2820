"""The page of a definition, and the short of it beside a file or over its code."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from devrag.core.htmx import is_partial, render_page
from devrag.products.services import get_visible_product
from devrag.web.pages.callers import get_callers
from devrag.web.pages.files import get_source
from devrag.web.pages.related import get_related
from devrag.web.pages.symbol import get_symbol_page, get_symbol_uses
from devrag.web.pages.symbol_card import get_symbol_card
from devrag.web.pages.symbol_links import FoundDefinition, find_symbol
from devrag.web.requests import WebRequest, reader_required


@require_GET
@reader_required
def symbol(
    request: WebRequest, name: str, source: str, version: str, uuid: UUID
) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    found = find_symbol(
        product, get_source(product, source, request.principal), version, uuid
    )
    context = {
        "product": product,
        "uses": get_symbol_uses(found),
        "page": None if is_partial(request) else get_symbol_page(found),
    }
    return render_page(request, "web/symbol.html", context, partial="summary")


@require_GET
@reader_required
def related(
    request: WebRequest, name: str, source: str, version: str, uuid: UUID
) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    find_symbol(product, get_source(product, source, request.principal), version, uuid)
    page = get_related(request.principal, product, uuid)
    return render_page(request, "web/related.html", {"page": page})


@require_GET
@reader_required
def card(
    request: WebRequest, name: str, source: str, version: str, uuid: UUID
) -> HttpResponse:
    """Answer with what is shown over the code where a definition is used."""
    found = _find(request, name, source, version, uuid)
    context = {"card": get_symbol_card(found)}
    return render(request, "components/symbol_card.html", context)


@require_GET
@reader_required
def references(
    request: WebRequest, name: str, source: str, version: str, uuid: UUID
) -> HttpResponse:
    """Answer with the lines that use a definition, by file, for beside the code."""
    found = _find(request, name, source, version, uuid)
    context = {"found": found, "callers": get_callers(found)}
    return render(request, "components/references.html", context)


def _find(
    request: WebRequest, name: str, source: str, version: str, uuid: UUID
) -> FoundDefinition:
    product = get_visible_product(name, request.principal)
    read_from = get_source(product, source, request.principal)
    return find_symbol(product, read_from, version, uuid)
