"""People's notes as a reader sees them, and where a note may stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from devrag.core.markdown import render_markdown
from devrag.core.page_urls import wiki_url
from devrag.products.models import Product
from devrag.wiki.api import prefix_of, readable_wikis
from devrag.wiki.models import Note, Page, Wiki


@dataclass(frozen=True, slots=True)
class NoteView:
    """A note. html: sanitised. author: '' when the account is gone."""

    id: int
    html: str
    author: str
    written_at: datetime
    page_path: str
    anchor: str


@dataclass(frozen=True, slots=True)
class NoteAnchor:
    """Where a note may stand: a page, or one of its headings. value: for a form.

    language: of the title, '' where it is the reader's.
    """

    value: str
    title: str
    language: str = ""


def see_notes(notes: Iterable[Note]) -> tuple[NoteView, ...]:
    """Return notes as a page shows them."""
    return tuple(map(see_note, notes))


def see_note(note: Note) -> NoteView:
    return NoteView(
        id=note.pk,
        html=render_markdown(note.text).html,
        author=note.author.get_username() if note.author else "",
        written_at=note.updated_at,
        page_path=note.page_path,
        anchor=note.anchor,
    )


def place_of(page_path: str, anchor: str) -> str:
    """Return a page and a heading as one value of a form."""
    return f"{page_path}#{anchor}" if anchor else page_path


def read_place(value: str) -> tuple[str, str]:
    """Return page path and anchor of a form's value."""
    path, _, anchor = value.partition("#")
    return path, anchor


def places_for(wiki: Wiki, value: str) -> list[NoteAnchor]:
    """Return the headings of a place's page, then the other pages. Queries: 1.

    The place itself is among them even when it is gone.
    """
    page_path, _ = read_place(value)
    pages = list(Page.objects.filter(version=wiki.current_id).order_by("ordinal"))
    own = [page for page in pages if page.path == page_path]
    language = wiki.language
    others = [NoteAnchor(p.path, p.title, language) for p in pages if p not in own]
    found = [place for page in own for place in _headings(page, language)] + others
    is_gone = value not in {place.value for place in found}
    return [NoteAnchor(value, value), *found] if is_gone and value else found


def _headings(page: Page, language: str) -> list[NoteAnchor]:
    whole = gettext("%(page)s: the whole page") % {"page": page.title}
    toc = render_markdown(page.markdown).toc[1:]
    return [NoteAnchor(page.path, whole)] + [
        NoteAnchor(
            place_of(page.path, each.anchor), f"{page.title}: {each.text}", language
        )
        for each in toc
    ]


def address_of(product: Product, wiki: Wiki, page_path: str, anchor: str = "") -> str:
    """Return where readers find a page of a wiki, the front page without one."""
    wikis = readable_wikis(product)
    prefix = prefix_of(wiki, wikis) if wiki in wikis else ""
    url = wiki_url(product.name, prefix + (page_path or "index.md"))
    return f"{url}#{anchor}" if anchor else url
