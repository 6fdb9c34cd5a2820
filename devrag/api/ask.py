"""Ask over REST: the whole answer as JSON, or its events as they come."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from asgiref.sync import async_to_sync
from django.http import HttpRequest, StreamingHttpResponse
from ninja import Field, Router
from pydantic import StringConstraints

from devrag.api.document_out import DocumentOut
from devrag.api.errors import describe_errors, expected_error, problem_fields
from devrag.api.idempotency import HEADER, renewed_claim
from devrag.api.json_schema import JsonSchema
from devrag.api.links import page_links
from devrag.api.operations import NO_NUL, READ, ProductName, Request, caller
from devrag.api.sample_values import COMMIT, JOB_ID, LINES, PLACE, SYMBOL_ID
from devrag.ask.api import (
    add_turn,
    answer_question,
    check_request,
    check_running,
    finish_answer,
    get_own_conversation,
    owner_of,
    run_new_turn,
)
from devrag.ask.documents import (
    Link,
    answer_document,
    event_document,
    unlink_citations,
)
from devrag.ask.models import Turn
from devrag.ask.types import (
    Answer,
    AskEvent,
    AskMode,
    AskRequest,
    Exchange,
    Outcome,
    PassageKind,
    Scope,
)
from devrag.core.connection_pool import release_connections
from devrag.core.errors import InvalidInput
from devrag.core.event_stream import (
    COMMENT,
    CONTENT_TYPE,
    HEADERS,
    format_event,
    with_pauses,
)
from devrag.core.principal import Principal

router = Router(auth=READ, tags=["ask"], by_alias=True)
Text = Annotated[str, StringConstraints(pattern=NO_NUL)]
Line = Annotated[int, Field(ge=0, le=2**31 - 1)]
_MAX_EXCHANGES, _MAX_PRODUCTS = 50, 100
_STREAMED = {
    "responses": {
        200: {
            "content": {
                CONTENT_TYPE: {
                    "schema": {
                        "type": "string",
                        "description": "Events `evidence`, `progress`, `draft`, "
                        "`checked`, `done` and `error`, each with a JSON document as "
                        "its data: that of `done` is AskAnswer, that of `error` "
                        "Problem.",
                    }
                }
            }
        }
    }
}


class ExchangeIn(Request):
    """An earlier question and its answer."""

    question: Text = Field(max_length=8_000)
    answer: Text = Field(max_length=50_000)


class AskBody(Request):
    """A question and where to look.

    productNames: none for all that the token may see. path: a file or folder.
    startLine, endLine: of the file at path, when the question is about these.
    mode: quick looks once, thorough lets a model look further, trace finds the path of
    calls from one definition to another. language: of the answer; '' for that of the
    question. isKept: as a conversation of the token's owner, which conversationID goes
    on with. history: what was asked before, oldest first, where nothing is kept.
    """

    question: Text
    product_names: list[ProductName] = Field([], max_length=_MAX_PRODUCTS)
    source_name: str = Field("", max_length=200, pattern=NO_NUL)
    path: str = Field("", max_length=1000, pattern=NO_NUL)
    start_line: Line = 0
    end_line: Line = 0
    mode: AskMode = "quick"
    language: Literal["", "en", "ja"] = ""
    history: list[ExchangeIn] = Field([], max_length=_MAX_EXCHANGES)
    is_kept: bool = False
    conversation_id: UUID | None = Field(
        None,
        description="Of an earlier answer. A conversation keeps its product, source "
        "and path.",
    )
    stream: bool = Field(
        False,
        description="Answer as text/event-stream, as with `Accept: text/event-stream`.",
    )

    EXAMPLE: ClassVar = {
        "question": "Where is tax added?",
        "productNames": ["shop"],
        "mode": "quick",
    }


class PassageOut(JsonSchema):
    """Lines of a file in a version. contentHash: SHA-256 of the whole file.

    why: what the lines show. url: their page here; document: of a page or ticket, with
    the address of its original.
    """

    id: str
    product_name: str
    source_name: str
    path: str
    start_line: int
    end_line: int
    version: str
    content_hash: str
    kind: PassageKind
    language: str
    title: str
    why: str
    symbol_id: str
    url: str
    document: DocumentOut | None

    EXAMPLE: ClassVar = {
        "id": "E1",
        "productName": "shop",
        **PLACE,
        **LINES,
        "version": COMMIT,
        "contentHash": "9b74c9897bac770ffc029102a200c5de" * 2,
        "kind": "definition",
        "language": "python",
        "title": "Cart.checkout",
        "why": "",
        "symbolID": SYMBOL_ID,
        "url": "https://devrag.example/products/shop/sources/backend-api/…",
        "document": None,
    }


class CitationOut(PassageOut):
    """A passage cited by its number."""

    number: int
    text: str

    EXAMPLE: ClassVar = {
        **PassageOut.EXAMPLE,
        "number": 1,
        "text": "def checkout(self) -> int:\n    return charge(self.total)",
    }


class RemovedOut(JsonSchema):
    """A sentence that failed a check."""

    sentence: str
    reason: str


class UsageOut(JsonSchema):
    """Tokens used by the model; 0 without a model."""

    input_tokens: int
    output_tokens: int


class AskAnswer(JsonSchema):
    """An answer. answer: Markdown; `[2](…)` leads to the lines of citation 2.

    outcome: `not_found` where the sources do not answer the question. isExtractive: no
    model wrote it. isComplete: false where it was stopped. evidence: all that was read
    for it. diagram: Mermaid text of a trace. model: '' where none wrote it.
    conversationID: '' where the answer is not kept.
    """

    answer: str
    outcome: Outcome
    is_extractive: bool
    is_complete: bool
    citations: list[CitationOut]
    evidence: list[PassageOut]
    notes: list[str]
    removed: list[RemovedOut]
    diagram: str
    model: str
    usage: UsageOut
    conversation_id: str

    EXAMPLE: ClassVar = {
        "answer": "`checkout` charges the total [1](https://devrag.example/…).\n",
        "outcome": "answered",
        "isExtractive": False,
        "isComplete": True,
        "citations": [CitationOut.EXAMPLE],
        "evidence": [PassageOut.EXAMPLE],
        "notes": [],
        "removed": [],
        "diagram": "",
        "model": "gpt-5-mini",
        "usage": {"inputTokens": 5210, "outputTokens": 240},
        "conversationID": JOB_ID,
    }


@router.post(
    "",
    response={200: AskAnswer, **describe_errors(404, 502)},
    openapi_extra=_STREAMED,
)
def ask(request: HttpRequest, body: AskBody) -> Any:
    """Answer a question about the current version of all accessible sources.

    The answer cites lines for each statement. Closing the connection stops the work.
    """
    asked = _to_request(caller(request), body)
    check_request(asked)
    is_streamed = (
        body.stream
        or request.get_preferred_type(["application/json", CONTENT_TYPE])
        == CONTENT_TYPE
    )
    if is_streamed and HEADER in request.headers:
        raise InvalidInput(
            f"Event streams are not stored, so {HEADER} is not supported. Remove the "
            "header, or request the answer as JSON."
        )
    link = page_links(request)
    turn = _keep_question(request, body, asked)
    events = run_new_turn(turn, asked.principal) if turn else answer_question(asked)
    more = {"conversationID": str(turn.conversation.uuid) if turn else ""}
    release_connections()
    if is_streamed:
        return StreamingHttpResponse(
            _write_events(events, link, more),
            content_type=CONTENT_TYPE,
            headers=HEADERS,
        )
    answer = async_to_sync(_finish)(request, events)
    return {**answer_document(answer, link), **more}


async def _finish(request: HttpRequest, events: AsyncIterator[AskEvent]) -> Answer:
    async with renewed_claim(request):
        return await finish_answer(events)


def _keep_question(
    request: HttpRequest, body: AskBody, asked: AskRequest
) -> Turn | None:
    """Keep a question in its conversation, where that is wanted."""
    if not (body.is_kept or body.conversation_id):
        return None
    if body.history:
        raise InvalidInput(
            "A stored conversation already has its history. Send either history, or "
            "isKept and conversationID."
        )
    digest: str = request.token_digest  # type: ignore[attr-defined]
    owner = owner_of(asked.principal, digest)
    check_running(owner)
    conversation = None
    if body.conversation_id:
        conversation = get_own_conversation(
            body.conversation_id, owner=owner, principal=asked.principal
        )
    return add_turn(owner=owner, request=asked, conversation=conversation)


def _to_request(principal: Principal, body: AskBody) -> AskRequest:
    lines = (body.start_line, body.end_line)
    return AskRequest(
        question=body.question,
        principal=principal,
        scope=Scope(
            products=tuple(body.product_names),
            source=body.source_name,
            path=body.path,
            lines=lines if any(lines) else None,
        ),
        mode=body.mode,
        language=body.language,
        history=tuple(
            Exchange(each.question, unlink_citations(each.answer))
            for each in body.history
        ),
    )


async def _write_events(
    events: AsyncIterator[AskEvent], link: Link, more: dict[str, str]
) -> AsyncGenerator[bytes, None]:
    """Yield the events of an answer as they are sent; a failure is the last one.

    more: what the last event says beside the answer. Closing this iterator waits until
    the work has ended.
    """
    key = 0
    try:
        async with aclosing(with_pauses(events)) as paused:
            async for event in paused:
                if event is None:
                    yield COMMENT
                    continue
                key += 1
                name, document = event_document(event, link)
                if name == "done":
                    document |= more
                yield _written(name, document, key)
    except Exception as error:  # noqa: BLE001 - the edge of the request: logged and reported
        known = expected_error(error)
        problem = problem_fields(known.http_status, known.code, known.message)
        yield _written("error", problem, key + 1)


def _written(name: str, document: dict[str, Any], key: int) -> bytes:
    text = json.dumps(document, ensure_ascii=False)
    return format_event(text, name=name, key=str(key))
