"""The search page; its results change in place as one types."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from devrag.core.htmx import render_page
from devrag.web.forms import SearchForm
from devrag.web.pages.search import get_search_page
from devrag.web.requests import WebRequest, reader_required

_BOX = "input#dr-q"


@require_GET
@reader_required
def search(request: WebRequest) -> HttpResponse:
    form = SearchForm(request.GET)
    form.is_valid()
    # A filter with a wrong value is dropped, the others still count.
    wanted = {name: form.cleaned_data.get(name, "") for name in form.fields}
    page = get_search_page(request.principal, wanted, is_typing=_is_typing(request))
    return render_page(
        request,
        "web/search.html",
        {"page": page, "form": form, "wanted": wanted},
        partial="results",
    )


def _is_typing(request: WebRequest) -> bool:
    """Say whether the box itself asks, within a word; Enter is the form's."""
    is_within = not request.GET.get("q", " ")[-1:].isspace()
    return request.htmx.source == _BOX and is_within
