"""The search page; its results change in place as one types. What people ask."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from devrag.ask.api import documentation_gaps
from devrag.core.htmx import is_partial, render_page
from devrag.products.services import find_visible_product
from devrag.search.api import (
    may_see_searches,
    most_asked,
    note_opened,
    searches_for,
)
from devrag.web.forms import CompletionForm, OpenedForm, SearchForm
from devrag.web.pages.ask_examples import example_words
from devrag.web.pages.completion import complete_filter
from devrag.web.pages.search import (
    get_search_page,
    list_chips,
    may_see_documents,
)
from devrag.web.requests import WebRequest, reader_required
from devrag.web.search_urls import search_url

_BOX = "input#dr-q"
# Filters that few need; their part of the panel is open when one of them is set.
_ADVANCED = (
    *("complexity", "complexity_to", "mime", "depth", "context"),
    *("unchanged", "rewrite"),
)


@require_GET
@reader_required
def search(request: WebRequest) -> HttpResponse:
    is_in_place = is_partial(request)
    form = SearchForm(
        request.GET,
        has_documents=not is_in_place and may_see_documents(request.principal),
    )
    form.is_valid()
    # A filter with a wrong value is dropped, the others still count.
    wanted = {name: form.cleaned_data.get(name, "") for name in form.fields}
    if is_in_place and _asked_product(request) != wanted["product"]:
        # The frame of the page is the product's, too.
        return HttpResponseClientRedirect(search_url(wanted))
    asked = wanted["product"]
    product = find_visible_product(asked, request.principal) if asked else None
    is_begun = bool(wanted["q"].strip())
    context = {
        "product": product,
        "page": get_search_page(
            request.principal,
            wanted,
            is_typing=_is_typing(request),
            is_in_place=is_in_place,
        ),
        "form": form,
        "wanted": wanted,
        "chips": list_chips(wanted),
        "has_advanced": any(wanted[name] for name in _ADVANCED),
        "example": "" if is_begun else example_words(product, request.principal),
        "has_log": not is_in_place and may_see_searches(request.principal),
    }
    response = render_page(request, "web/search.html", context, partial="results")
    if is_in_place:
        response[_history_header(request, search_url(wanted))] = search_url(wanted)
    return response


def _history_header(request: WebRequest, url: str) -> str:
    """Return whether the browser goes on to a search or replaces the one it shows.

    What is typed replaces it; a filter or Enter is a step that one can take back.
    """
    shown = urlsplit(request.htmx.current_url or "")
    is_same = f"{shown.path}?{shown.query}" == url
    return "HX-Replace-Url" if request.htmx.source == _BOX or is_same else "HX-Push-Url"


def _asked_product(request: WebRequest) -> str:
    """Return the product in the address of the page that asks for other results."""
    query = urlsplit(request.htmx.current_url or "").query
    return dict(parse_qsl(query)).get("product", "")


@require_GET
@reader_required
def complete(request: WebRequest) -> HttpResponse:
    """Answer with what the filter that is being typed may become."""
    form = CompletionForm(request.GET)
    found: tuple[str, ...] = ()
    if form.is_valid():
        asked = form.cleaned_data
        found = complete_filter(request.principal, asked["word"], asked["product"])
    return render(request, "components/completions.html", {"found": found})


def _is_typing(request: WebRequest) -> bool:
    """Return whether the box itself asks, within a word; Enter is the form's."""
    is_within = not request.GET.get("q", " ")[-1:].isspace()
    return request.htmx.source == _BOX and is_within


@require_GET
@reader_required
def searches(request: WebRequest) -> HttpResponse:
    rows = searches_for(request.principal)
    context = {
        "gaps": documentation_gaps(request.principal),
        "most": most_asked(rows),
    }
    return render_page(request, "web/searches.html", context)


# The token is signed and of no other use: it stands for the one of a form.
@csrf_exempt
@require_POST
@reader_required
def opened(request: WebRequest) -> HttpResponse:
    form = OpenedForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=400)
    note_opened(form.cleaned_data["token"], form.cleaned_data["rank"])
    return HttpResponse(status=204)
