"""Notes beside wiki pages: read by all, kept in place by maintainers."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods

from devrag.core.errors import InvalidInput, NotFound
from devrag.core.htmx import (
    add_toast,
    is_partial,
    redirect_or_location,
    render_page,
)
from devrag.products.models import Product
from devrag.products.services import (
    get_maintained_product,
    get_visible_product,
    may_maintain,
)
from devrag.web.pages.wiki_notes import (
    address_of,
    place_of,
    places_for,
    read_place,
    see_note,
)
from devrag.web.requests import WebRequest, reader_required
from devrag.web.unsent_forms import writer_required
from devrag.wiki.api import add_note, delete_note, edit_note, find_note, move_note
from devrag.wiki.models import Note, Wiki

_TEMPLATE = "web/note.html"


@require_GET
@reader_required
def note(request: WebRequest, name: str, note_id: int) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    return _show(request, product, find_note(product, note_id))


@require_http_methods(["GET", "POST"])
@writer_required
def add(request: WebRequest, name: str) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    language = request.GET.get("language", "")
    place = request.GET.get("place", "")
    wiki = _find_wiki(product, language)
    if request.method == "GET":
        return _form(request, product, wiki, None, "", place)
    text, place = request.POST.get("text", ""), request.POST.get("place", place)
    page_path, anchor = read_place(place)
    try:
        made = add_note(
            principal=request.principal,
            product=product,
            page_path=page_path,
            anchor=anchor,
            text=text,
            language=language,
        )
    except (InvalidInput, NotFound) as error:
        return _form(request, product, wiki, None, text, place, error.message)
    return _show(request, product, made)


@require_http_methods(["GET", "POST"])
@writer_required
def edit(request: WebRequest, name: str, note_id: int) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    found = find_note(product, note_id)
    was = place_of(found.page_path, found.anchor)
    if request.method == "GET":
        return _form(request, product, found.wiki, found, found.text, was)
    text, place = request.POST.get("text", ""), request.POST.get("place", was)
    given: dict[str, Any] = {"principal": request.principal, "product": product}
    try:
        edit_note(**given, note_id=note_id, text=text)
        if place != was:
            page_path, anchor = read_place(place)
            move_note(**given, note_id=note_id, page_path=page_path, anchor=anchor)
    except (InvalidInput, NotFound) as error:
        return _form(request, product, found.wiki, found, text, place, error.message)
    changed = find_note(product, note_id)
    if place != was:
        return redirect_or_location(request, _address(product, changed))
    return _show(request, product, changed)


@require_http_methods(["GET", "POST"])
@writer_required
def delete(request: WebRequest, name: str, note_id: int) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    found = find_note(product, note_id)
    here = address_of(product, found.wiki, found.page_path)
    if request.method == "GET":
        context = {"product": product, "note": see_note(found), "back": here}
        context |= {"is_question": True, "is_inline": is_partial(request)}
        return render_page(request, _TEMPLATE, context, partial="question")
    delete_note(principal=request.principal, product=product, note_id=note_id)
    if not request.htmx:
        return redirect_or_location(request, here)
    response = HttpResponse()  # takes the note's place
    add_toast(response, gettext("Note deleted."), kind="success")
    return response


def _show(request: WebRequest, product: Product, found: Note) -> HttpResponse:
    """Answer with the note for its place on the page, or with that page."""
    if not request.htmx:
        return HttpResponseRedirect(_address(product, found))
    context = {
        "product": product,
        "note": see_note(found),
        "may_maintain": may_maintain(request.principal, product),
        "is_inline": True,
    }
    return render_page(request, _TEMPLATE, context, partial="note")


def _form(
    request: WebRequest,
    product: Product,
    wiki: Wiki,
    found: Note | None,
    text: str,
    place: str,
    error: str = "",
) -> HttpResponse:
    page_path, anchor = read_place(place)
    context = {
        "product": product,
        "note": found,
        "text": text,
        "place": place,
        "places": places_for(wiki, place),
        "error": error,
        "action": request.get_full_path(),
        "is_inline": is_partial(request),
        "back": address_of(product, wiki, page_path, anchor),
        "draft": f"note-{found.pk if found else f'{wiki.pk}-{place}'}",
    }
    status = 422 if error else 200
    return render_page(request, _TEMPLATE, context, partial="form", status=status)


def _find_wiki(product: Product, language: str) -> Wiki:
    wiki = Wiki.objects.filter(product=product, language=language).first()
    if wiki is None:
        raise NotFound(gettext("%(product)s has no wiki yet.") % {"product": product})
    return wiki


def _address(product: Product, found: Note) -> str:
    return address_of(product, found.wiki, found.page_path, f"dr-note-{found.pk}")
