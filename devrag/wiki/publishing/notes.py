"""People's notes beside pages: kept across versions by page path and anchor.

A note instructs the writer of the next version, so only who may write the wiki adds
one; readers have `Feedback`. A note whose page went is an orphan: listed, never lost.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.principal import Principal
from devrag.core.text import clean_text
from devrag.products.models import Product
from devrag.wiki.models import Note, Page, Wiki
from devrag.wiki.publishing.history import check_may_write

LONGEST_NOTE = 10_000


def notes_of_page(wiki: Wiki, path: str) -> QuerySet[Note]:
    """Return a page's notes, oldest first: for its readers and for its writer."""
    notes = Note.objects.filter(wiki=wiki, page_path=path)
    return notes.select_related("author").order_by("created_at", "pk")


def orphaned_notes(wiki: Wiki) -> QuerySet[Note]:
    """Return the notes on pages that the version readers see does not have."""
    there = Page.objects.filter(version=wiki.current_id).values("path")
    notes = Note.objects.filter(wiki=wiki).exclude(page_path__in=there)
    return notes.select_related("author").order_by("page_path", "created_at", "pk")


@transaction.atomic
def add_note(
    *,
    principal: Principal,
    product: Product,
    page_path: str,
    text: str,
    anchor: str = "",
    language: str = "en",
) -> Note:
    """Keep a note on a page that readers see. anchor: a heading's id, '' for the page.

    Raises InvalidInput for an empty or overlong text, NotFound for an unknown page.
    """
    check_may_write(principal, product)
    wiki = Wiki.objects.filter(product=product, language=language).first()
    note = Note.objects.create(
        wiki=_with_page(wiki, product, page_path),
        page_path=page_path,
        anchor=anchor[:200],
        text=_checked(text),
        author_id=principal.user_id,
    )
    _record("wiki.note_added", principal, product, note)
    return note


@transaction.atomic
def edit_note(
    *, principal: Principal, product: Product, note_id: int, text: str
) -> Note:
    """Replace a note's text; its first author stays."""
    check_may_write(principal, product)
    note = _find(product, note_id)
    note.text = _checked(text)
    note.save(update_fields=["text", "updated_at"])
    _record("wiki.note_changed", principal, product, note)
    return note


@transaction.atomic
def move_note(
    *,
    principal: Principal,
    product: Product,
    note_id: int,
    page_path: str,
    anchor: str = "",
) -> Note:
    """Put a note, such as an orphan, on another page."""
    check_may_write(principal, product)
    note = _find(product, note_id)
    _with_page(note.wiki, product, page_path)
    note.page_path, note.anchor = page_path, anchor[:200]
    note.save(update_fields=["page_path", "anchor", "updated_at"])
    _record("wiki.note_changed", principal, product, note)
    return note


@transaction.atomic
def delete_note(*, principal: Principal, product: Product, note_id: int) -> None:
    """Delete a note; only a person does, never a run."""
    check_may_write(principal, product)
    note = _find(product, note_id)
    note.delete()
    _record("wiki.note_removed", principal, product, note)


def _record(action: str, principal: Principal, product: Product, note: Note) -> None:
    record_event(action, principal=principal, product=product, target=note.page_path)


def find_note(product: Product, note_id: int) -> Note:
    """Return the product's note: another product's does not exist here."""
    return _found(Note.objects.select_related("wiki", "author"), product, note_id)


def _find(product: Product, note_id: int) -> Note:
    notes = Note.objects.select_for_update(of=("self",)).select_related("wiki")
    return _found(notes, product, note_id)


def _found(notes: QuerySet[Note], product: Product, note_id: int) -> Note:
    note = notes.filter(wiki__product=product, pk=note_id).first()
    if note is None:
        raise NotFound(
            gettext("'%(product)s' has no such note. It may have been deleted.")
            % {"product": product.name}
        )
    return note


def _with_page(wiki: Wiki | None, product: Product, path: str) -> Wiki:
    """Return the wiki when readers see that page of it."""
    if wiki and Page.objects.filter(version=wiki.current_id, path=path).exists():
        return wiki
    raise NotFound(
        gettext("The wiki of '%(product)s' has no page '%(page)s'.")
        % {"product": product.name, "page": path[:100]}
    )


def _checked(text: str) -> str:
    found = clean_text(text).strip()
    if not found:
        raise InvalidInput(gettext("The note is empty. To remove a note, delete it."))
    if len(found) > LONGEST_NOTE:
        raise InvalidInput(
            gettext(
                "Notes can have at most %(most)s characters; this one has %(has)s. "
                "Add longer texts to the repository and link to them."
            )
            % {"most": f"{LONGEST_NOTE:,}", "has": f"{len(found):,}"}
        )
    return found
