"""What people wrote beside pages of a wiki."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router, Status

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import NO_NUL, WIKI, Request, caller
from devrag.api.paging import Page, cut_page
from devrag.api.products import find_product
from devrag.api.sample_values import TIME
from devrag.api.versions import InLanguage
from devrag.api.wikis import OfPage
from devrag.wiki.api import (
    LONGEST_NOTE,
    add_note,
    delete_note,
    edit_note,
    find_note,
    find_readable_wiki,
    move_note,
)
from devrag.wiki.models import Note

router = Router(tags=["wiki"], by_alias=True)


class NoteOut(JsonSchema):
    """A note in Markdown. anchor: its heading, '' for the page."""

    note_id: int
    page: str
    anchor: str
    text: str
    author: str
    language: str
    written_at: datetime

    EXAMPLE: ClassVar = {
        "noteID": 3,
        "page": "features/cart.md",
        "anchor": "",
        "text": "Ask **Alice** about refunds.",
        "author": "bob",
        "language": "en",
        "writtenAt": TIME,
    }


class NewNote(Request):
    page: str = Field(min_length=1, max_length=255, pattern=NO_NUL)
    text: str = Field(min_length=1, max_length=LONGEST_NOTE, pattern=NO_NUL)
    anchor: str = Field("", max_length=200, pattern=NO_NUL)

    EXAMPLE: ClassVar = {
        "page": "features/cart.md",
        "text": "Ask **Alice** about refunds.",
    }


class NoteChange(Request):
    """What is left out stays as it is. page: another page to put it on."""

    text: str | None = Field(
        None, min_length=1, max_length=LONGEST_NOTE, pattern=NO_NUL
    )
    page: str | None = Field(None, min_length=1, max_length=255, pattern=NO_NUL)
    anchor: str | None = Field(None, max_length=200, pattern=NO_NUL)

    EXAMPLE: ClassVar = {"text": "Ask **Bob** about refunds."}


class OfNotes(OfPage, InLanguage):
    """Notes of which page and language."""


@router.get(
    "/{int:productID}/wiki/notes",
    response={200: list[NoteOut], **describe_errors(404)},
)
def list_wiki_notes(
    request: HttpRequest,
    productID: int,
    response: HttpResponse,
    page: Page,
    of: Annotated[OfNotes, Query(...)],
) -> list[dict[str, Any]]:
    """List the notes of a wiki, including those of removed pages, oldest first."""
    product = find_product(caller(request), productID)
    wiki, _ = find_readable_wiki(product, of.language)
    rows = Note.objects.filter(wiki=wiki).select_related("author", "wiki")
    if of.page:
        rows = rows.filter(page_path=of.page)
    return list(map(_describe, cut_page(request, response, rows, page, by=["pk"])))


@router.post(
    "/{int:productID}/wiki/notes",
    auth=WIKI,
    response={201: NoteOut, **describe_errors(404, 413, 415)},
)
def add_wiki_note(
    request: HttpRequest,
    productID: int,
    body: NewNote,
    response: HttpResponse,
    asked: Annotated[InLanguage, Query(...)],
) -> Status[dict[str, Any]]:
    """Add a note to a page; later wiki runs keep it."""
    product = find_product(caller(request), productID)
    note = add_note(
        principal=caller(request),
        product=product,
        page_path=body.page,
        text=body.text,
        anchor=body.anchor,
        language=find_readable_wiki(product, asked.language)[0].language,
    )
    response["Location"] = f"/api/v1/products/{product.pk}/wiki/notes/{note.pk}"
    return Status(201, _describe(note))


@router.get(
    "/{int:productID}/wiki/notes/{int:noteID}",
    response={200: NoteOut, **describe_errors(404)},
)
def get_wiki_note(request: HttpRequest, productID: int, noteID: int) -> dict[str, Any]:
    """Return a note."""
    product = find_product(caller(request), productID)
    return _describe(find_note(product, noteID))


@router.patch(
    "/{int:productID}/wiki/notes/{int:noteID}",
    auth=WIKI,
    response={200: NoteOut, **describe_errors(404, 413, 415)},
)
def change_wiki_note(
    request: HttpRequest, productID: int, noteID: int, body: NoteChange
) -> dict[str, Any]:
    """Change the text or position of a note."""
    principal = caller(request)
    product = find_product(principal, productID)
    found = find_note(product, noteID)
    which: dict[str, Any] = {
        "principal": principal,
        "product": product,
        "note_id": noteID,
    }
    if body.page is not None or body.anchor is not None:
        page_path = found.page_path if body.page is None else body.page
        anchor = found.anchor if body.anchor is None else body.anchor
        move_note(**which, page_path=page_path, anchor=anchor)
    if body.text is not None:
        edit_note(**which, text=body.text)
    return _describe(find_note(product, noteID))


@router.delete(
    "/{int:productID}/wiki/notes/{int:noteID}",
    auth=WIKI,
    response={204: None, **describe_errors(404)},
)
def delete_wiki_note(request: HttpRequest, productID: int, noteID: int) -> Status[None]:
    """Delete a note."""
    product = find_product(caller(request), productID)
    delete_note(principal=caller(request), product=product, note_id=noteID)
    return Status(204, None)


def _describe(note: Note) -> dict[str, Any]:
    return {
        "noteID": note.pk,
        "page": note.page_path,
        "anchor": note.anchor,
        "text": note.text,
        "author": note.author.get_username() if note.author else "",
        "language": note.wiki.language,
        "writtenAt": note.updated_at,
    }
