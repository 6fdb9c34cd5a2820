"""Answers as pages of the wiki: saved, renamed and deleted by who may edit it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from devrag.ask.api import get_conversation, get_turn, readable_turn, title_for
from devrag.ask.models import Turn
from devrag.core.errors import Conflict, InvalidInput
from devrag.core.htmx import is_partial, redirect_or_location, render_page
from devrag.core.page_urls import wiki_url
from devrag.products.models import Product
from devrag.products.services import get_maintained_product
from devrag.use_cases.api import delete_answer, rename_answer, save_answer
from devrag.web.pages.ask import conversation_url
from devrag.web.pages.saved_answers import list_savings
from devrag.web.pages.wiki_notes import address_of
from devrag.web.requests import WebRequest
from devrag.web.unsent_forms import writer_required
from devrag.web.views.ask import owner_from
from devrag.wiki.api import LONGEST_TITLE
from devrag.wiki.models import Page

_TEMPLATE = "web/save_answer.html"


@require_http_methods(["GET", "POST"])
@writer_required
def save_page(request: WebRequest, uuid: UUID, ordinal: int) -> HttpResponse:
    """Ask for the title of an answer's page; make the page by a POST."""
    owner, key = owner_from(request), request.GET.get("key", "")
    conversation = get_conversation(
        uuid, owner=owner, principal=request.principal, share_key=key
    )
    turn = get_turn(conversation, ordinal)
    if request.method == "GET":
        return _form(request, turn, title_for(turn))
    if conversation.product is not None:
        get_maintained_product(conversation.product.name, request.principal)
    title = request.POST.get("title", "")
    try:
        saved = save_answer(principal=request.principal, turn=turn, title=title)
    except (InvalidInput, Conflict) as refused:
        return _form(request, turn, title, refused.message)
    if saved.is_new:
        messages.success(request, gettext("Answer saved as this page."))
    else:
        messages.info(request, gettext("The answer was already saved as this page."))
    return redirect_or_location(request, _address(saved.page))


def _form(request: WebRequest, turn: Turn, title: str, error: str = "") -> HttpResponse:
    key = request.GET.get("key", "")
    readable = readable_turn(turn, request.principal)
    saving = list_savings([readable], request.principal, key).get(turn.pk)
    back = conversation_url(turn.conversation, key)
    context = {
        "turn": turn,
        "saving": saving,
        "title": title,
        "longest": LONGEST_TITLE,
        "error": error,
        "action": request.get_full_path(),
        "back": f"{back}#dr-turn-{turn.ordinal}",
        "is_inline": is_partial(request),
        "product": turn.conversation.product,
    }
    status = 422 if error else 200
    return render_page(request, _TEMPLATE, context, partial="form", status=status)


@require_http_methods(["POST"])
@writer_required
def rename(request: WebRequest, name: str, page_id: int) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    page = rename_answer(
        principal=request.principal,
        product=product,
        page_id=page_id,
        title=request.POST.get("title", ""),
    )
    messages.success(request, gettext("Saved answer renamed."))
    return redirect_or_location(request, _address(page))


@require_http_methods(["POST"])
@writer_required
def delete(request: WebRequest, name: str, page_id: int) -> HttpResponse:
    product: Product = get_maintained_product(name, request.principal)
    delete_answer(principal=request.principal, product=product, page_id=page_id)
    messages.success(request, gettext("Saved answer deleted."))
    return redirect_or_location(request, wiki_url(product.name))


def _address(page: Page) -> str:
    wiki = page.version.wiki
    return address_of(wiki.product, wiki, page.path)
