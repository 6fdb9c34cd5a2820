"""Ask: the question box, threads, and what one does with them."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from devrag.ask.api import (
    Owner,
    add_turn,
    as_markdown,
    delete_conversation,
    get_conversation,
    get_own_conversation,
    get_turn,
    owner_of,
    rate_turn,
    readable_turn,
    readable_turns,
    recheck,
    rename_conversation,
    run_turn,
    share_conversation,
    stop_turn,
    unshare_conversation,
)
from devrag.ask.models import Conversation, Turn
from devrag.ask.types import MODES, AskMode, AskRequest, Scope
from devrag.core.connection_pool import release_connections
from devrag.core.errors import DevragError, InvalidInput, NotFound
from devrag.core.htmx import is_partial, redirect_or_location, render_page
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.products.services import get_visible_product
from devrag.spending.language_model import is_model_set
from devrag.web.pages.ask import (
    ConversationPage,
    conversation_url,
    get_citation_card,
    get_conversation_page,
    get_later_turns,
    get_turn_view,
    list_conversations,
)
from devrag.web.pages.ask_examples import example_questions
from devrag.web.requests import WebRequest, reader_required

_ASK, _THREAD = "web/ask.html", "web/conversation.html"


class QuestionForm(forms.Form):
    """A question with its scope, as boxes on all pages send it."""

    # How long it may be is for the service to say, with the way out.
    question = forms.CharField(required=False, strip=False)
    mode = forms.ChoiceField(choices=[(each, each) for each in MODES], required=False)
    source = forms.CharField(required=False, max_length=200)
    path = forms.CharField(required=False, max_length=2_000)
    first = forms.IntegerField(required=False, min_value=1, max_value=10_000_000)
    last = forms.IntegerField(required=False, min_value=1, max_value=10_000_000)


def owner_from(request: WebRequest, *, is_new: bool = False) -> Owner:
    """Return who asks. is_new: begin a browser session where there is none."""
    session = request.session
    if is_new and request.principal.user_id is None and not session.session_key:
        session.create()
    return owner_of(request.principal, session.session_key or "")


@require_http_methods(["GET", "POST"])
@reader_required
def ask(request: WebRequest, name: str = "") -> HttpResponse:
    """Show the box and one's conversations; begin one by a question."""
    product = get_visible_product(name, request.principal) if name else None
    if request.method == "POST":
        return _begin(request, product)
    form = QuestionForm(request.GET)
    form.is_valid()
    return _render_ask(request, product, form.cleaned_data)


def _render_ask(
    request: WebRequest,
    product: Product | None,
    wanted: dict[str, object],
    error: str = "",
) -> HttpResponse:
    owner = owner_from(request)
    context = {
        "product": product,
        "wanted": wanted,
        "scope": _scope_name(wanted),
        "error": error,
        "examples": example_questions(product, request.principal),
        "conversations": list_conversations(
            owner, request.principal, product.pk if product else None
        ),
        "is_model_set": is_model_set(),
        "ask_url": _ask_url(product),
    }
    return render_page(request, _ASK, context, status=422 if error else 200)


def _scope_name(wanted: dict[str, object]) -> str:
    """Return `path:first–last` of what a question is about, "" for everything."""
    path, first, last = (wanted.get(name) for name in ("path", "first", "last"))
    if not first:
        return str(path or "")
    return f"{path}:{first}–{last}" if last and last != first else f"{path}:{first}"


def _ask_url(product: Product | None) -> str:
    if product is None:
        return reverse("web:ask_all")
    return reverse("web:ask", args=[product.name])


def _begin(request: WebRequest, product: Product | None) -> HttpResponse:
    form = QuestionForm(request.POST)
    form.is_valid()
    wanted = form.cleaned_data
    first, last = wanted.get("first"), wanted.get("last")
    scope = Scope(
        products=(product.name,) if product else (),
        source=wanted.get("source", ""),
        path=wanted.get("path", ""),
        lines=(first, max(first, last or first)) if first else None,
    )
    try:
        turn = add_turn(
            owner=owner_from(request, is_new=True),
            request=_request(request, wanted, scope),
        )
    except InvalidInput as refused:
        if request.htmx:
            return _render_refusal(request, refused)
        return _render_ask(request, product, wanted, refused.message)
    url = conversation_url(turn.conversation)
    if not request.htmx:
        _answer_now(turn, request.principal)
    return redirect_or_location(request, url)


def _render_refusal(request: WebRequest, refused: InvalidInput) -> HttpResponse:
    """Answer with why a question was refused, for the box that it stays in."""
    template = "components/ask_box.html#refused"
    return render_page(request, template, {"error": refused.message}, status=422)


def _request(
    request: WebRequest, wanted: dict[str, object], scope: Scope
) -> AskRequest:
    mode: AskMode = wanted.get("mode") or "quick"  # type: ignore[assignment]
    question = str(wanted.get("question", ""))
    return AskRequest(question, request.principal, scope, mode)


def _answer_now(turn: Turn, principal: Principal) -> None:
    """Answer to the end, for browsers without scripts; failures are kept with it."""

    async def to_the_end() -> None:
        async for _ in run_turn(turn, principal):
            pass

    release_connections()
    with suppress(DevragError):
        asyncio.run(to_the_end())


@require_http_methods(["GET", "POST"])
@reader_required
def conversation(request: WebRequest, uuid: UUID) -> HttpResponse:
    """Show a thread; go on with it by a question."""
    if request.method == "POST":
        return _follow_up(request, uuid)
    found, key = _readable(request, uuid)
    page = get_conversation_page(found, owner_from(request), request.principal, key)
    return _render_thread(request, page)


def _render_thread(
    request: WebRequest, page: ConversationPage, *, error: str = "", typed: str = ""
) -> HttpResponse:
    product = page.conversation.product
    context = {
        "page": page,
        "product": product,
        "ask_url": _ask_url(product),
        "error": error,
        "wanted": {"question": typed},
    }
    return render_page(request, _THREAD, context, status=422 if error else 200)


def _readable(request: WebRequest, uuid: UUID) -> tuple[Conversation, str]:
    """Return a conversation that the reader may see, and the key that they came by."""
    key = request.GET.get("key", "")
    owner = owner_from(request)
    found = get_conversation(
        uuid, owner=owner, principal=request.principal, share_key=key
    )
    return found, "" if owner.owns(found) else key


def _own(request: WebRequest, uuid: UUID) -> Conversation:
    return get_own_conversation(
        uuid, owner=owner_from(request), principal=request.principal
    )


def _follow_up(request: WebRequest, uuid: UUID) -> HttpResponse:
    found = _own(request, uuid)
    form = QuestionForm(request.POST)
    form.is_valid()
    wanted = form.cleaned_data
    owner = owner_from(request)
    try:
        turn = add_turn(
            owner=owner,
            request=_request(request, wanted, Scope()),
            conversation=found,
        )
    except InvalidInput as refused:
        if request.htmx:
            return _render_refusal(request, refused)
        page = get_conversation_page(found, owner, request.principal)
        typed = str(wanted.get("question", ""))
        return _render_thread(request, page, error=refused.message, typed=typed)
    if is_partial(request):
        return _render_turn(request, turn)
    _answer_now(turn, request.principal)
    url = f"{conversation_url(found)}#dr-turn-{turn.ordinal}"
    return redirect_or_location(request, url)


def _render_turn(request: WebRequest, turn: Turn, key: str = "") -> HttpResponse:
    view = get_turn_view(turn, request.principal, is_own=not key, key=key)
    return render_page(request, "web/turn.html", {"each": view})


@require_GET
@reader_required
def later_turns(request: WebRequest, uuid: UUID) -> HttpResponse:
    """Answer with the turns after the ordinal `after`: another window asked them.

    Not those that still wait: the window that asked follows their answer.
    """
    found, key = _readable(request, uuid)
    after = request.GET.get("after", "")
    ordinal = int(after) if after.isascii() and after.isdecimal() else 0
    turns = get_later_turns(found, ordinal, request.principal, key)
    if not turns:
        return HttpResponse(status=204)
    context = {"turns": turns}
    return render_page(request, "web/conversation.html#turns", context)


@require_http_methods(["GET", "POST"])
@reader_required
def turn(request: WebRequest, uuid: UUID, ordinal: int) -> HttpResponse:
    """Answer with one turn; a POST answers its question, where there are no scripts."""
    if request.method == "POST":
        found = _own(request, uuid)
        _answer_now(get_turn(found, ordinal), request.principal)
        url = f"{conversation_url(found)}#dr-turn-{ordinal}"
        return redirect_or_location(request, url)
    found, key = _readable(request, uuid)
    return _render_turn(request, get_turn(found, ordinal), key)


@require_POST
@reader_required
def stop(request: WebRequest, uuid: UUID, ordinal: int) -> HttpResponse:
    found = _own(request, uuid)
    stop_turn(get_turn(found, ordinal))
    return redirect_or_location(request, conversation_url(found))


@require_GET
@reader_required
def markdown(request: WebRequest, uuid: UUID, ordinal: int = 0) -> HttpResponse:
    """Answer with a turn, or the whole thread, as Markdown with links, to be copied.

    Without marks around text of repositories: people paste it, no agent reads it.
    """
    found, _ = _readable(request, uuid)
    base = f"{request.scheme}://{request.get_host()}"
    if ordinal:
        readable = [readable_turn(get_turn(found, ordinal), request.principal)]
    else:
        readable = readable_turns(found, request.principal)
    text = "\n".join(as_markdown(each, base) for each in readable)
    return HttpResponse(text, content_type="text/markdown; charset=utf-8")


@require_GET
@reader_required
def citation(request: WebRequest, uuid: UUID, citation_id: int) -> HttpResponse:
    """Answer with the lines of a citation, for its preview."""
    found, _ = _readable(request, uuid)
    card = get_citation_card(found, citation_id, request.principal)
    if card is None:
        raise NotFound(
            gettext("These lines do not exist, or you do not have access to them.")
        )
    return render_page(request, "web/ask_citation.html", {"card": card})


@require_GET
@reader_required
def still_true(request: WebRequest, uuid: UUID, ordinal: int) -> HttpResponse:
    """Answer with what became of the lines that an answer cites."""
    found, key = _readable(request, uuid)
    shown = get_turn(found, ordinal)
    states = recheck(readable_turn(shown, request.principal), request.principal)
    changed = [each for each in states if each.state != "fresh"]
    context = {
        "states": states,
        "changed": changed,
        "is_stale": any(each.state == "stale" for each in states),
        "conversation": found,
        "turn": shown,
        "is_own": owner_from(request).owns(found),
        "back": conversation_url(found, key),
        "product": found.product,
    }
    return render_page(request, "web/still_true.html", context, partial="result")


@require_POST
@reader_required
def rate(request: WebRequest, uuid: UUID, ordinal: int) -> HttpResponse:
    found = _own(request, uuid)
    shown = get_turn(found, ordinal)
    rating = {"up": 1, "down": -1}.get(request.POST.get("rating", ""), 0)
    rate_turn(shown, rating=rating, remark=request.POST.get("remark", ""))
    if is_partial(request):
        shown.refresh_from_db()
        view = get_turn_view(shown, request.principal, is_own=True)
        return render_page(request, "web/turn.html", {"each": view}, partial="rating")
    return redirect_or_location(request, f"{conversation_url(found)}#dr-turn-{ordinal}")


@require_POST
@reader_required
def rename(request: WebRequest, uuid: UUID) -> HttpResponse:
    found = _own(request, uuid)
    rename_conversation(found, request.POST.get("title", ""))
    return redirect_or_location(request, conversation_url(found))


@require_POST
@reader_required
def share(request: WebRequest, uuid: UUID) -> HttpResponse:
    """Make the link that others read by, or end it."""
    found = _own(request, uuid)
    if "end" in request.POST:
        unshare_conversation(found)
        messages.success(request, gettext("The link no longer works."))
    else:
        share_conversation(found)
    return redirect_or_location(request, conversation_url(found))


@require_POST
@reader_required
def delete(request: WebRequest, uuid: UUID) -> HttpResponse:
    found = _own(request, uuid)
    product = found.product
    delete_conversation(found)
    messages.success(request, gettext("The conversation was deleted."))
    return redirect_or_location(request, _ask_url(product))
