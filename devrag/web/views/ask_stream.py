"""An answer as it comes: server-sent events with HTML that the server rendered.

Events: `evidence`, `progress`, `draft` (text), `answer` (checked HTML), and at the end
`finished` with the whole turn, or `refused` with the reason why it was not begun.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from uuid import UUID

from django.http import HttpRequest
from django.http.response import HttpResponseBase, StreamingHttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.http import require_POST

from devrag.ask.api import (
    TooManyRunning,
    get_own_conversation,
    get_turn,
    in_thread,
    run_turn,
)
from devrag.ask.models import Turn
from devrag.ask.types import AskEvent, Checked, Draft, EvidenceFound, Progress
from devrag.core.connection_pool import release_connections
from devrag.core.errors import DevragError
from devrag.core.event_stream import (
    COMMENT,
    CONTENT_TYPE,
    HEADERS,
    format_event,
    with_pauses,
)
from devrag.core.principal import Principal
from devrag.web.pages.ask import (
    card_of_passage,
    cite_passages,
    get_turn_view,
    render_answer,
)
from devrag.web.requests import WebRequest, reader_required
from devrag.web.views.ask import owner_from


@require_POST
@reader_required
def stream(request: WebRequest, uuid: UUID, ordinal: int) -> HttpResponseBase:
    """Answer a waiting question; when the reader goes away the work ends."""
    found = get_own_conversation(
        uuid, owner=owner_from(request), principal=request.principal
    )
    turn = get_turn(found, ordinal)
    language = translation.get_language() or "en"
    events = _stream(request, turn, request.principal, language)
    release_connections()
    return StreamingHttpResponse(events, content_type=CONTENT_TYPE, headers=HEADERS)


async def _stream(
    request: HttpRequest, turn: Turn, principal: Principal, language: str
) -> AsyncGenerator[bytes, None]:
    translation.activate(language)  # of this task alone
    shown = _Shown(turn)
    try:
        async with aclosing(with_pauses(run_turn(turn, principal))) as events:
            async for event in events:
                yield await shown.to_message(event) if event else COMMENT
    except TooManyRunning as error:
        yield _message("refused", message=error.message)
        return
    except DevragError:
        pass  # kept with the turn, which comes now
    html = await in_thread(_render_turn, request, turn.pk, principal, language)
    yield _message("finished", html=html)


class _Shown:
    """What the reader was sent of a turn."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._cards = 0

    async def to_message(self, event: AskEvent) -> bytes:
        """Return an event as bytes; b"" for one that is not shown by itself."""
        if isinstance(event, EvidenceFound):
            first, self._cards = self._cards, self._cards + len(event.passages)
            return await asyncio.to_thread(self._evidence, event, first)
        if isinstance(event, Progress):
            return _message("progress", text=event.text)
        if isinstance(event, Draft):
            return _message("draft", text=event.text)
        if isinstance(event, Checked):
            return await asyncio.to_thread(_checked, event)
        return b""

    def _evidence(self, event: EvidenceFound, first: int) -> bytes:
        cards = [
            card_of_passage(self._turn, number, passage)
            for number, passage in enumerate(event.passages, start=first + 1)
        ]
        html = render_to_string("web/turn.html#cards", {"cards": cards})
        return _message("evidence", html=html, count=self._cards)


def _checked(event: Checked) -> bytes:
    html = render_answer(event.markdown, cite_passages(event.citations))
    return _message("answer", html=html)


def _render_turn(
    request: HttpRequest, turn_id: int, principal: Principal, language: str
) -> str:
    turn = Turn.objects.select_related("conversation").filter(pk=turn_id).first()
    with translation.override(language):
        if turn is None:
            return render_to_string("web/turn.html#deleted", {}, request=request)
        view = get_turn_view(turn, principal, is_own=True)
        return render_to_string("web/turn.html", {"each": view}, request=request)


def _message(event: str, **data: object) -> bytes:
    return format_event(json.dumps(data), name=event)
