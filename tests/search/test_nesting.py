"""Of spots within one another only the deepest is shown."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.search.nesting import collapse_nested
from tests.search.hits import make_spot

PARENT, CHILD, LEAF, BESIDE = (1, 90), (10, 40), (20, 30), (50, 60)
Lines = tuple[int, int]


def kept(*ranges: Lines, kind: str = "section") -> list[Lines]:
    """Return the ranges that stay of sections of one file, in the order they rank."""
    spots = [
        make_spot(kind=kind, start_line=start, end_line=end) for start, end in ranges
    ]
    return [ranges[position] for position in collapse_nested(spots)]


@pytest.mark.parametrize(
    ("ranked", "shown"),
    [
        ((PARENT, CHILD), [CHILD]),
        ((CHILD, PARENT), [CHILD]),
        ((PARENT, CHILD, LEAF), [LEAF]),
        ((LEAF, PARENT, CHILD), [LEAF]),
        ((PARENT, BESIDE, CHILD), [BESIDE, CHILD]),
        ((PARENT, LEAF, BESIDE, CHILD), [LEAF, BESIDE]),
        ((CHILD, CHILD), [CHILD]),
        ((CHILD, BESIDE), [CHILD, BESIDE]),
        ((), []),
    ],
)
def test_the_deepest_takes_the_best_place(
    ranked: tuple[Lines, ...], shown: list[Lines]
) -> None:
    assert kept(*ranked) == shown


def test_a_class_does_not_hold_its_methods() -> None:
    assert kept(PARENT, CHILD, kind="symbol") == [PARENT, CHILD]


@pytest.mark.parametrize("kind", ["entry", "window"])
def test_a_section_gives_way_to_any_part_of_it(kind: str) -> None:
    section = make_spot(kind="section", start_line=1, end_line=90)
    part = make_spot(kind=kind, start_line=20, end_line=30)
    assert collapse_nested([section, part]) == [1]
    assert collapse_nested([part, section]) == [0]


@pytest.mark.parametrize("kind", ["section", "window"])
def test_a_long_entry_gives_way_to_a_part_of_it(kind: str) -> None:
    entry = make_spot(kind="entry", start_line=1, end_line=90)
    part = make_spot(kind=kind, start_line=20, end_line=30)
    assert collapse_nested([entry, part]) == [1]
    assert collapse_nested([part, entry]) == [0]


@pytest.mark.parametrize("other", [{"path": "b.md"}, {"source_name": "other"}])
def test_other_files_hold_nothing(other: dict[str, str]) -> None:
    section = make_spot(kind="section", start_line=1, end_line=90)
    elsewhere = make_spot(kind="section", start_line=2, end_line=3, **other)
    assert collapse_nested([section, elsewhere]) == [0, 1]


def _tree(cuts: list[int], first: int = 1, last: int = 60) -> list[Lines]:
    """Return sections within one another: each cut ends one and begins the next."""
    inner = sorted({cut for cut in cuts if first < cut <= last})
    if not inner:
        return [(first, last)]
    parts = _tree(cuts[1:], first, inner[0] - 1), _tree(cuts[1:], inner[0], last)
    return [(first, last), *(lines for part in parts for lines in part)]


@given(st.lists(st.integers(2, 60), max_size=6), st.randoms(use_true_random=False))
def test_what_stays_is_what_holds_no_other(cuts: list[int], random: Random) -> None:
    ranges = list(dict.fromkeys(_tree(cuts)))
    random.shuffle(ranges)
    leaves = {
        one
        for one in ranges
        if not any(
            one != other and one[0] <= other[0] and other[1] <= one[1]
            for other in ranges
        )
    }
    assert set(kept(*ranges)) == leaves
