"""Pages of a wiki with what is known of them; answers are saved as such."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from ninja import Field, Router, Status

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import NO_NUL, WIKI, Number, Request, caller
from devrag.api.products import find_product
from devrag.api.sample_values import JOB_ID, TIME
from devrag.api.wikis import WikiFile, find_wiki_page
from devrag.ask.api import get_own_conversation, get_turn, owner_of
from devrag.ask.models import Turn
from devrag.core.errors import Conflict, NotFound
from devrag.products.models import Product
from devrag.use_cases.api import delete_answer, rename_answer, save_answer
from devrag.wiki.api import (
    LONGEST_TITLE,
    ClaimFreshness,
    find_page,
    prefix_of,
    readable_wikis,
    states_of_page,
)
from devrag.wiki.models import Page, SavedAnswer

router = Router(tags=["wiki"], by_alias=True)
_ADDRESS = "/{int:productID}/wiki/pages"


class SavedAnswerOut(JsonSchema):
    """Where a page of the kind note comes from. author: who saved it, '' if deleted.

    model: that wrote the answer, '' for none. turn: its position in the conversation.
    """

    question: str
    author: str
    saved_at: datetime
    model: str
    conversation_id: str
    turn: int

    EXAMPLE: ClassVar = {
        "question": "Where is tax added?",
        "author": "alice",
        "savedAt": TIME,
        "model": "gpt-5-mini",
        "conversationID": JOB_ID,
        "turn": 1,
    }


class PageOut(WikiFile):
    """A page. markdown: `[…](cite:3)` cites its third claim. files: what it covers.

    savedAnswer: of a page of the kind note, null for those that a run wrote.
    """

    version: int
    parent_path: str
    summary: str
    markdown: str
    files: list[str]
    claim_count: int
    stale_count: int
    saved_answer: SavedAnswerOut | None

    EXAMPLE: ClassVar = {
        **WikiFile.EXAMPLE,
        "version": 3,
        "parentPath": "index.md",
        "summary": "What a customer wants to buy.",
        "markdown": "# Cart\n\nIt charges the customer.[1](cite:1)\n",
        "files": ["backend-api/shop/cart.py"],
        "claimCount": 1,
        "staleCount": 0,
        "savedAnswer": None,
    }


class NewPage(Request):
    """The answer that becomes a page. title: left out, the question."""

    conversation_id: UUID
    turn: Number = Field(
        0, description="Position in the conversation, from 1; 0 for the last."
    )
    title: str | None = Field(
        None, min_length=1, max_length=LONGEST_TITLE, pattern=NO_NUL
    )

    EXAMPLE: ClassVar = {"conversationID": JOB_ID, "title": "How tax is added"}


class PageChange(Request):
    title: str = Field(min_length=1, max_length=LONGEST_TITLE, pattern=NO_NUL)

    EXAMPLE: ClassVar = {"title": "How tax is added"}


class SavedPageOut(PageOut):
    """A page of the kind note. isNew: false where the answer was saved before."""

    is_new: bool

    EXAMPLE: ClassVar = {
        **PageOut.EXAMPLE,
        "path": "notes/how-tax-is-added.md",
        "title": "How tax is added",
        "kind": "note",
        "isNew": True,
    }


@router.get(
    _ADDRESS + "/{path:path}",
    response={200: PageOut, **describe_errors(404)},
)
def get_wiki_page(request: HttpRequest, productID: int, path: str) -> dict[str, Any]:
    """Return a page of a product's wiki with its metadata."""
    product = find_product(caller(request), productID)
    return describe_page(product, path, find_wiki_page(product, path))


def describe_page(product: Product, path: str, page: Page) -> dict[str, Any]:
    """Return a page as PageOut. path: its address among the product's wikis."""
    states = states_of_page(page, product.pk)
    return {
        "path": path,
        "title": page.title,
        "kind": page.kind,
        "version": page.version.number,
        "parentPath": page.parent_path,
        "summary": page.summary,
        "markdown": page.markdown,
        "files": page.files,
        "claimCount": len(states),
        "staleCount": sum(each.state == ClaimFreshness.STALE for each in states),
        "savedAnswer": _describe_saved(page) if page.kind == Page.NOTE else None,
    }


def _describe_saved(page: Page) -> dict[str, Any]:
    saved = SavedAnswer.objects.select_related("author").get(page=page)
    return {
        "question": saved.question,
        "author": saved.author.get_username() if saved.author else "",
        "savedAt": saved.saved_at,
        "model": saved.model,
        "conversationID": str(saved.conversation),
        "turn": saved.turn,
    }


@router.post(
    _ADDRESS,
    auth=WIKI,
    response={
        200: SavedPageOut,
        201: SavedPageOut,
        **describe_errors(404, 409, 413, 415),
    },
)
def save_wiki_page(
    request: HttpRequest, productID: int, body: NewPage, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Save an answer of an own conversation as a page; wiki runs keep it.

    For an answer that is already saved, returns its page (200). 409 explains why an
    answer cannot be saved: not found, not finished, or not only about this product.
    """
    product = find_product(caller(request), productID)
    turn = _find_turn(request, product, body)
    saved = save_answer(principal=caller(request), turn=turn, title=body.title)
    path = _address_of(product, saved.page)
    response["Location"] = f"/api/v1/products/{product.pk}/wiki/pages/{path}"
    found = describe_page(product, path, saved.page) | {"isNew": saved.is_new}
    return Status(201 if saved.is_new else 200, found)


@router.patch(
    _ADDRESS + "/{path:path}",
    auth=WIKI,
    response={200: PageOut, **describe_errors(404, 413, 415)},
)
def rename_wiki_page(
    request: HttpRequest, productID: int, path: str, body: PageChange
) -> dict[str, Any]:
    """Change the title of a saved answer; its URL does not change."""
    product = find_product(caller(request), productID)
    page = rename_answer(
        principal=caller(request),
        product=product,
        page_id=_find_note(product, path).pk,
        title=body.title,
    )
    return describe_page(product, path, page)


@router.delete(
    _ADDRESS + "/{path:path}",
    auth=WIKI,
    response={204: None, **describe_errors(404)},
)
def delete_wiki_page(request: HttpRequest, productID: int, path: str) -> Status[None]:
    """Delete the page of a saved answer; generated pages cannot be deleted."""
    product = find_product(caller(request), productID)
    page_id = _find_note(product, path).pk
    delete_answer(principal=caller(request), product=product, page_id=page_id)
    return Status(204, None)


def _find_turn(request: HttpRequest, product: Product, body: NewPage) -> Turn:
    principal = caller(request)
    digest: str = request.token_digest  # type: ignore[attr-defined]
    conversation = get_own_conversation(
        body.conversation_id, owner=owner_of(principal, digest), principal=principal
    )
    if conversation.product_id not in {None, product.pk}:
        raise Conflict(f"This conversation is not about the product '{product}'.")
    last = conversation.turns.order_by("ordinal").last()
    return get_turn(conversation, body.turn or (last.ordinal if last else 1))


def _find_note(product: Product, path: str) -> Page:
    page = find_page(product, path)
    if page is None or page.kind != Page.NOTE:
        raise NotFound("There is no saved answer at this path.")
    return page


def _address_of(product: Product, page: Page) -> str:
    """Return the page's address among the product's wikis."""
    wiki = page.version.wiki
    wikis = readable_wikis(product)
    return (prefix_of(wiki, wikis) if wiki in wikis else "") + page.path
