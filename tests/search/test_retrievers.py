"""What the two lists brought: whether all of it was weighed."""

from __future__ import annotations

import pytest

from devrag.search.retrievers import Lists


@pytest.mark.parametrize(
    ("words", "is_whole"), [(100, True), (120, True), (121, False)]
)
def test_what_was_not_weighed_may_still_be_asked_for(
    words: int, is_whole: bool
) -> None:
    """Filters that the word index does not know may take everything that was."""
    found = dict.fromkeys(range(words), 1.0)
    lists = Lists(found, {0: 0.9}, (), limit=200, is_exhausted=True)
    assert lists.is_whole is is_whole


def test_a_list_that_has_more_is_not_whole() -> None:
    assert not Lists({1: 1.0}, {}, (), limit=200, is_exhausted=False).is_whole
