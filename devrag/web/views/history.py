"""The history of a file. git is read when the page has opened, with a time limit."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from devrag.core.errors import NotFound
from devrag.core.htmx import is_partial, render_page
from devrag.products.services import get_visible_product
from devrag.sources.api import HistoryUnavailable
from devrag.sources.models import File
from devrag.use_cases.api import find_file, find_ref
from devrag.web.forms import HistoryForm, PartForm
from devrag.web.pages.file_history import (
    get_blame,
    get_commit,
    get_history,
    get_last_changes,
)
from devrag.web.pages.files import (
    FolderPage,
    PageRange,
    SourcePosition,
    get_file_or_folder,
    get_source,
    locate,
)
from devrag.web.pages.version_menu import list_versions
from devrag.web.requests import WebRequest, reader_required

_COMMIT = re.compile(r"[0-9a-f]{40,64}")
# Without scripts the page itself has what is loaded otherwise.
_NOW = "now"


@require_GET
@reader_required
def history(
    request: WebRequest, name: str, source: str, version: str, path: str
) -> HttpResponse:
    """Answer with the page of a file's commits, or with some of them."""
    place, _ = _find(request, name, source, version, path)
    form = HistoryForm(request.GET)
    form.is_valid()
    skipped = form.cleaned_data.get("skip") or 0
    return _answer(
        request,
        "web/history.html",
        place,
        lambda: get_history(request.principal, place, skipped),
    )


@require_GET
@reader_required
def blame(
    request: WebRequest, name: str, source: str, version: str, path: str
) -> HttpResponse:
    """Answer with the page of who wrote a file's lines, or with a block of them."""
    place, file = _find(request, name, source, version, path)
    form = HistoryForm(request.GET)
    form.is_valid()
    line = form.cleaned_data.get("line") or 1
    return _answer(
        request,
        "web/blame.html",
        place,
        lambda: get_blame(request.principal, place, file, line),
    )


@require_GET
@reader_required
def commit(
    request: WebRequest, name: str, source: str, version: str, commit: str, path: str
) -> HttpResponse:
    """Answer with what a commit changed in a file."""
    if not _COMMIT.fullmatch(commit):
        raise NotFound(
            gettext("This is not a commit ID. A commit ID has 40 hexadecimal digits.")
        )
    place, file = _find(request, name, source, version, path)
    return _answer(
        request,
        "web/commit.html",
        place,
        lambda: get_commit(request.principal, place, file, commit),
        commit=commit,
    )


@require_GET
@reader_required
def folder_changes(
    request: WebRequest, name: str, source: str, version: str, path: str = ""
) -> HttpResponse:
    """Answer with a folder's entries, each with its last change."""
    product = get_visible_product(name, request.principal)
    read_from = get_source(product, source, request.principal)
    form = PartForm(request.GET)
    form.is_valid()
    wanted = PageRange(entry=form.cleaned_data.get("entry") or 0)
    page = get_file_or_folder(product, read_from, version, path.strip("/"), wanted)
    if not isinstance(page, FolderPage):
        raise NotFound(
            gettext("“%(path)s” is not a folder of this version.") % {"path": path}
        )
    try:
        names = [entry.name for entry in page.entries]
        changes = get_last_changes(page.place, names)
    except HistoryUnavailable:
        changes = {}
    context = {"page": page.with_changes(changes), "product": product}
    return render_page(request, "web/folder.html", context, partial="list")


def _find(
    request: WebRequest, name: str, source: str, version: str, path: str
) -> tuple[SourcePosition, File]:
    """Return where in a source one is; NotFound where the version has no such file."""
    product = get_visible_product(name, request.principal)
    read_from = get_source(product, source, request.principal)
    ref = find_ref(read_from, version)
    file = find_file(read_from, ref, version, path)
    return locate(product, read_from, ref, version, path), file


def _answer(
    request: WebRequest,
    template: str,
    place: SourcePosition,
    load: Callable[[], Any],
    **context: str,
) -> HttpResponse:
    """Answer with the page at once, and with what git says when the page asks."""
    is_part = is_partial(request)
    part, problem = None, ""
    if is_part or _NOW in request.GET:
        try:
            part = load()
        except HistoryUnavailable as error:
            problem = error.message
    product, source = place.product, place.source
    shown = {
        **context,
        "page": {"place": place},
        "product": product,
        "part": part,
        "problem": problem,
        "versions": ()
        if is_part
        else list_versions(product, source, place.version, place.path),
    }
    return render_page(request, template, shown, partial="part")
