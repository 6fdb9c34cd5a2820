"""Pieces of items: kept, and their items written anew where one changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from devrag.sources.connectors.pages.mirror import PageMirror
from devrag.sources.connectors.pages.types import Batch, Item, Record


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[PageMirror]:
    with closing(PageMirror(tmp_path / "a.sqlite", "1")) as opened:
        yield opened


def said(number: int, data: str = "text", owner: str = "t:1") -> Record:
    return Record(f"said:{number}", owner, data)


def test_an_item_is_due_once_a_piece_of_it_is_new_or_changed(
    mirror: PageMirror,
) -> None:
    mirror.store(Batch(records=[said(1), said(2), said(3, owner="t:2")]))
    assert mirror.records.due(9) == ["t:1", "t:2"]
    assert mirror.records.due(1) == ["t:1"]
    mirror.store(Batch(settled=["t:1", "t:2"]))
    mirror.store(Batch(records=[said(1), said(2)]))
    assert mirror.records.due(9) == []
    mirror.store(Batch(records=[said(1, "other")]))
    assert mirror.records.due(9) == ["t:1"]
    assert sorted(mirror.records.of("t:1")) == ["other", "text"]
    assert mirror.records.size_of("t:1") == 9


def test_a_piece_that_moves_has_both_items_written(mirror: PageMirror) -> None:
    mirror.store(Batch(records=[said(1)]))
    mirror.store(Batch(settled=["t:1"]))
    mirror.store(Batch(records=[said(1, owner="t:2")]))
    assert mirror.records.due(9) == ["t:1", "t:2"]
    assert mirror.records.of("t:1") == []


def test_pieces_that_a_listing_did_not_see_can_be_dropped(mirror: PageMirror) -> None:
    mirror.store(Batch(records=[said(1), said(2), Record("other:1", "t:1", "x")]))
    mirror.store(Batch(settled=["t:1"]))
    mirror.finish({})
    mirror.store(Batch(records=[said(2)]))
    assert mirror.records.unseen("said:") == ["said:1"]
    mirror.store(Batch(dropped=["said:1", "said:9"]))
    assert mirror.records.due(9) == ["t:1"]
    assert sorted(mirror.records.of("t:1")) == ["text", "x"]


def test_the_pieces_of_an_item_go_with_it(mirror: PageMirror) -> None:
    item = Item("t:1", "v", "a.md", "text")
    mirror.store(Batch([item], records=[said(1)]))
    mirror.store(Batch(gone=["t:1"]))
    assert mirror.records.of("t:1") == mirror.records.due(9) == []
    mirror.store(Batch(records=[said(1)]))  # it comes back
    assert mirror.records.due(9) == ["t:1"]


def test_what_no_text_can_hold_is_replaced(mirror: PageMirror) -> None:
    mirror.store(Batch(records=[said(1, "a\ud800b")]))
    assert mirror.records.of("t:1") == ["a?b"]


def test_another_recipe_forgets_the_pieces_too(tmp_path: Path) -> None:
    with closing(PageMirror(tmp_path / "a.sqlite", "1")) as mirror:
        mirror.store(Batch(records=[said(1)]))
    with closing(PageMirror(tmp_path / "a.sqlite", "2")) as mirror:
        assert mirror.records.due(9) == mirror.records.of("t:1") == []
