"""What the code view loads beside a file: its tree, its links, and places of a text."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from devrag.core.errors import NotFound
from devrag.products.services import get_visible_product
from devrag.use_cases.api import find_file, find_ref, stays_same
from devrag.web.forms import FindForm, PartForm, TreeForm
from devrag.web.pages.code_links import get_code_links
from devrag.web.pages.file_tree import TreePlace
from devrag.web.pages.files import get_source, get_text
from devrag.web.pages.find_in_file import find_places
from devrag.web.requests import WebRequest, reader_required

_SECONDS_KEPT = 86_400


@require_GET
@reader_required
def tree(
    request: WebRequest, name: str, source: str, version: str, path: str = ""
) -> HttpResponse:
    """Answer with the tree that is open along a path, or with one of its folders."""
    product = get_visible_product(name, request.principal)
    found = get_source(product, source, request.principal)
    ref = find_ref(found, version)
    if ref is None:
        raise NotFound(
            gettext("The file list of %(source)s at this version is no longer stored.")
            % {"source": source}
        )
    form = TreeForm(request.GET)
    form.is_valid()
    place = TreePlace(ref, (name, source, version), found.has_documents)
    is_level = bool(form.cleaned_data.get("level"))
    level = place.level(path) if is_level else place.opened(path.strip("/"))
    response = render(
        request,
        "components/tree_level.html",
        {"level": level, "is_part": is_level},
    )
    return _kept(response, is_fixed=stays_same(ref, version))


@require_GET
@reader_required
def uses(
    request: WebRequest, name: str, source: str, version: str, path: str
) -> HttpResponse:
    """Answer with the links of a block's names to their definitions."""
    product = get_visible_product(name, request.principal)
    found = get_source(product, source, request.principal)
    ref = find_ref(found, version)
    if ref is None:  # a version that is only cited keeps no definitions
        return JsonResponse({"first": 1, "targets": [], "uses": []})
    form = PartForm(request.GET)
    form.is_valid()
    file = find_file(found, ref, version, path)
    line = form.cleaned_data.get("line") or 1
    links = get_code_links(ref, (name, source, version), file, line)
    return _kept(JsonResponse(links), is_fixed=stays_same(ref, version))


@require_GET
@reader_required
def find(
    request: WebRequest, name: str, source: str, version: str, path: str
) -> HttpResponse:
    """Answer with the places of a text in a file: line, column and length of each."""
    product = get_visible_product(name, request.principal)
    file, _ = get_text(get_source(product, source, request.principal), version, path)
    form = FindForm(request.GET)
    if not form.is_valid():
        return HttpResponse(status=400)
    found = find_places(
        file.text,
        form.cleaned_data["text"],
        is_case_exact=form.cleaned_data["case"],
    )
    return JsonResponse({"places": found.places, "is_cut": found.is_cut})


def _kept(response: HttpResponse, *, is_fixed: bool) -> HttpResponse:
    """Let the browser keep what never changes."""
    if is_fixed:
        patch_cache_control(response, private=True, max_age=_SECONDS_KEPT)
    return response
