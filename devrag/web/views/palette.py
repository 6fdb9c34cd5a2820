"""The palette's answers while one types."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from devrag.access.preferences import theme_of
from devrag.web.forms import PaletteForm
from devrag.web.pages.palette import get_palette
from devrag.web.requests import WebRequest, reader_required


@require_GET
@reader_required
def palette(request: WebRequest) -> HttpResponse:
    form = PaletteForm(request.GET)
    form.is_valid()
    text = form.cleaned_data.get("q", "")
    groups = get_palette(
        request.principal,
        text,
        form.cleaned_data.get("product", ""),
        theme_of(request),
    )
    context = {"groups": groups, "text": text}
    return render(request, "components/palette_results.html", context)
