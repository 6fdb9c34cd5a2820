"""Versions of a wiki: listed, compared, shown, pinned."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from devrag.core.errors import InvalidInput
from devrag.core.htmx import redirect_or_location, render_page
from devrag.products.models import Product
from devrag.products.services import (
    get_maintained_product,
    get_visible_product,
    may_maintain,
)
from devrag.web.pages.wiki_difference import compare_page, list_differences
from devrag.web.pages.wiki_old import get_old_page
from devrag.web.pages.wiki_versions import (
    get_version,
    get_versions,
    versions_url,
)
from devrag.web.requests import WebRequest, reader_required
from devrag.web.unsent_forms import writer_required
from devrag.wiki.api import (
    find_readable_wiki,
    find_version,
    pin_version,
    show_version,
    version_before,
)
from devrag.wiki.models import Version

_TEMPLATE = "web/versions.html"


@require_GET
@reader_required
def versions(request: WebRequest, name: str) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    context = {
        "product": product,
        "page": get_versions(product, request.GET.get("language", "")),
        "may_maintain": may_maintain(request.principal, product),
    }
    return render_page(request, _TEMPLATE, context)


@require_GET
@reader_required
def version(request: WebRequest, name: str, number: int) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    language = request.GET.get("language", "")
    context = {
        "product": product,
        "page": get_version(product, number, language),
        "versions_url": versions_url(product, language),
    }
    return render_page(request, "web/version.html", context)


@require_GET
@reader_required
def old_page(request: WebRequest, name: str, number: int, page: str) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    language = request.GET.get("language", "")
    context = {
        "product": product,
        "page": get_old_page(product, number, language, f"{page}.md"),
        "versions_url": versions_url(product, language),
    }
    return render_page(request, "web/old_page.html", context)


@require_GET
@reader_required
def compare(request: WebRequest, name: str) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    wiki, _ = find_readable_wiki(product, request.GET.get("language", ""))
    after = _asked(request, product, "to", wiki.language) or wiki.current
    if after is None:
        raise InvalidInput(gettext("Choose two versions to compare."))
    before = _asked(request, product, "from", wiki.language) or version_before(after)
    before = before or after
    path = request.GET.get("page", "")
    context = {
        "product": product,
        "before": before,
        "after": after,
        "language": wiki.language,
        "versions_url": versions_url(product, wiki.language),
    }
    if path:
        view = request.GET.get("view", "")
        context["page"] = compare_page(before, after, path, view)
    else:
        context["pages"] = list_differences(before, after)
    return render_page(request, "web/compare.html", context)


@require_POST
@writer_required
def show(request: WebRequest, name: str, number: int) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    language = _language(request, product)
    found = show_version(
        principal=request.principal, product=product, number=number, language=language
    )
    said = gettext("Version %(number)s is now current.") % {"number": found.number}
    return _back(request, product, language, said)


@require_POST
@writer_required
def pin(request: WebRequest, name: str, number: int) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    language = _language(request, product)
    found = pin_version(
        principal=request.principal,
        product=product,
        number=number,
        is_pinned=request.POST.get("pinned") == "1",
        language=language,
    )
    said = (
        gettext("Version %(number)s is kept.")
        if found.is_pinned
        else gettext("Version %(number)s is deleted automatically when it is old.")
    )
    return _back(request, product, language, said % {"number": found.number})


def _back(
    request: WebRequest, product: Product, language: str, said: str
) -> HttpResponse:
    messages.success(request, said)
    return redirect_or_location(request, versions_url(product, language))


def _language(request: WebRequest, product: Product) -> str:
    return find_readable_wiki(product, request.POST.get("language", ""))[0].language


def _asked(
    request: WebRequest, product: Product, name: str, language: str
) -> Version | None:
    """Return the version that the address names, None when it names none."""
    given = request.GET.get(name, "")
    if not given:
        return None
    if not given.isascii() or not given.isdecimal() or len(given) > 9:
        raise InvalidInput(
            gettext("“%(given)s” is not a version number.") % {"given": given[:20]}
        )
    return find_version(product, int(given), language)
