"""Notes stay by their pages over versions; orphans are listed."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.core.errors import InvalidInput, NotFound, PermissionDenied
from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.wiki.models import Note, Wiki
from devrag.wiki.publishing import notes
from tests.people import People, principal
from tests.wiki.rows import index_source
from tests.wiki.runs import generate
from tests.wiki.shop import SHOP

GUIDE = "documentation.md"


@pytest.fixture
def wiki(written: Product) -> Wiki:
    return Wiki.objects.get()


def add(wiki: Wiki, page: str = GUIDE, text: str = "See the tea room.") -> Note:
    given: Any = {"principal": SYSTEM, "product": wiki.product}
    return notes.add_note(**given, page_path=page, text=text, anchor="guide")


def write_without_guide(wiki: Wiki) -> Wiki:
    tree = {path: text for path, text in SHOP.items() if not path.startswith("docs/")}
    index_source(wiki.product, "shop", tree, "b" * 40)
    generate(wiki.product)
    return Wiki.objects.get()


def test_a_note_stays_with_its_page_over_versions(wiki: Wiki) -> None:
    note = add(wiki)
    generate(wiki.product)
    assert list(notes.notes_of_page(Wiki.objects.get(), GUIDE)) == [note]
    assert not notes.orphaned_notes(Wiki.objects.get()).exists()


def test_the_note_of_a_page_that_went_is_an_orphan(wiki: Wiki) -> None:
    kept, orphan = add(wiki, "index.md"), add(wiki)
    wiki = write_without_guide(wiki)
    assert list(notes.orphaned_notes(wiki)) == [orphan]
    assert list(notes.notes_of_page(wiki, "index.md")) == [kept]


@pytest.mark.slow
def test_an_orphan_is_at_home_again_when_its_page_is(wiki: Wiki) -> None:
    note = add(wiki)
    write_without_guide(wiki)
    index_source(wiki.product, "shop", SHOP, "c" * 40)
    generate(wiki.product)
    wiki = Wiki.objects.get()
    assert list(notes.notes_of_page(wiki, GUIDE)) == [note]
    assert not notes.orphaned_notes(wiki).exists()


@pytest.mark.slow
def test_an_orphan_can_be_moved_to_another_page(wiki: Wiki) -> None:
    note = add(wiki)
    wiki = write_without_guide(wiki)
    given: Any = {"principal": SYSTEM, "product": wiki.product, "note_id": note.pk}
    notes.move_note(**given, page_path="index.md")
    assert not notes.orphaned_notes(wiki).exists()
    with pytest.raises(NotFound, match=GUIDE):
        notes.move_note(**given, page_path=GUIDE)


def test_a_note_is_edited_and_deleted(wiki: Wiki) -> None:
    note = add(wiki)
    given: Any = {"principal": SYSTEM, "product": wiki.product, "note_id": note.pk}
    assert notes.edit_note(**given, text=" Another\x00room. ").text == "Another�room."
    notes.delete_note(**given)
    assert not Note.objects.exists()
    with pytest.raises(NotFound, match="no such note"):
        notes.delete_note(**given)


@pytest.mark.parametrize("text", ["", " \n", "x" * (notes.LONGEST_NOTE + 1)])
def test_an_empty_or_endless_note_is_refused(wiki: Wiki, text: str) -> None:
    with pytest.raises(InvalidInput):
        add(wiki, text=text)


def test_a_page_that_is_not_there_takes_no_note(wiki: Wiki) -> None:
    with pytest.raises(NotFound, match=r"gone\.md"):
        add(wiki, "gone.md")


def test_readers_and_strangers_write_no_notes(wiki: Wiki, people: People) -> None:
    note = add(wiki)
    wiki.product.visibility = "members"
    wiki.product.save()
    for user in (people.bob, people.charlie):
        given: Any = {"principal": principal(user), "product": wiki.product}
        with pytest.raises(PermissionDenied):
            notes.add_note(**given, page_path=GUIDE, text="mine")
        with pytest.raises(PermissionDenied):
            notes.delete_note(**given, note_id=note.pk)


def test_a_maintainer_reaches_no_note_of_another_product(
    wiki: Wiki, people: People
) -> None:
    note = add(wiki)
    given: Any = {"principal": principal(people.alice), "product": people.teahouse}
    with pytest.raises(NotFound):
        notes.edit_note(**given, note_id=note.pk, text="mine")
