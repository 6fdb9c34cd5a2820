"""Which versions a word index holds, beside those that it should hold."""

from __future__ import annotations

import pytest

from devrag.search.lexical.versions import IndexedVersions

HELD = {1: (10, 3), 2: (20, 1)}


@pytest.mark.parametrize(
    ("wanted", "is_behind"),
    [({1: (10, 3)}, False), ({1: (10, 4)}, True), ({1: (11, 3)}, True), ({}, False)],
)
def test_it_is_behind_where_it_holds_another_version(
    wanted: dict[int, tuple[int, int]], is_behind: bool
) -> None:
    assert IndexedVersions(HELD, wanted).is_behind([1]) is is_behind


def test_a_source_that_was_not_asked_for_is_never_behind() -> None:
    assert not IndexedVersions(HELD, {3: (30, 1)}).is_behind([1, 2])
    assert IndexedVersions(HELD, {3: (30, 1)}).is_behind([3])


def test_what_is_held_beside_the_sources_is_of_others() -> None:
    assert IndexedVersions(HELD, HELD).has_others([1])
    assert not IndexedVersions(HELD, HELD).has_others([1, 2, 3])


def test_a_source_that_is_being_added_may_be_there_in_part() -> None:
    assert IndexedVersions({1: (10, 3)}, HELD).has_others([1])


def test_a_source_that_is_being_removed_may_still_be_there() -> None:
    assert IndexedVersions(HELD, {1: (10, 3)}).has_others([1])
