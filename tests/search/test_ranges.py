"""Options of a search: depth, ranges, and what is out of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM
from devrag.search.ranges import check_ranges, parse_depths
from devrag.search.service import search
from devrag.search.types import SearchQuery
from devrag.sources.models import Symbol
from tests.conftest import Repository

ASK = SearchQuery(text="/steep|charge/", principal=SYSTEM, limit=50)
GUIDE = "# Guide\n\n{0}\n## Tea\n\n{0}\n### Green\n\n{0}".format(
    "They steep long.\n" * 40
)


@pytest.fixture(scope="module")
def more_files() -> dict[str, str | bytes | None]:
    return {"guide.md": GUIDE}


@pytest.mark.parametrize(
    ("depths", "headings"),
    [
        ((1,), {"guide"}),
        ((1, 2), {"guide", "tea"}),
        ((3,), {"green"}),
    ],
)
def test_a_depth_is_the_level_of_a_heading(
    indexed: Repository, depths: tuple[int, ...], headings: set[str]
) -> None:
    hits = search(replace(ASK, depths=depths)).hits
    assert {hit.heading.rpartition(" > ")[2].lower() for hit in hits} == headings


@pytest.mark.parametrize(
    ("low", "high", "is_found"), [(0, 4, False), (5, 5, True), (6, 0, False)]
)
def test_complexity_is_a_range(
    indexed: Repository, low: int, high: int, is_found: bool
) -> None:
    Symbol.objects.filter(qualified_name="Cart.checkout").update(complexity=5)
    query = replace(ASK, kind="method", min_complexity=low, max_complexity=high)
    assert bool(search(query).hits) == is_found


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"limit": 0}, "limit is 0; it must be 1 to 50"),
        ({"limit": 51}, "limit is 51"),
        ({"context": -1}, "context is -1; it must be 0 to 3"),
        ({"context": 4}, "context is 4"),
        ({"depths": (1, 4)}, "depth is 4; it must be 0 to 3"),
        ({"max_complexity": -1}, "max_complexity is -1"),
        (
            {"min_complexity": 5, "max_complexity": 3},
            "5 is greater than max_complexity 3",
        ),
    ],
)
def test_a_number_out_of_its_range_is_named(
    options: dict[str, Any], words: str
) -> None:
    with pytest.raises(InvalidInput, match=words):
        check_ranges(replace(ASK, **options))


@pytest.mark.parametrize("options", [{"limit": 1}, {"limit": 50}, {"context": 3}])
def test_the_ends_of_a_range_are_accepted(options: dict[str, Any]) -> None:
    check_ranges(replace(ASK, **options))


def test_depths_are_read_as_they_are_typed() -> None:
    assert parse_depths(" 1, 2 ") == (1, 2)
    assert parse_depths("") == ()
    with pytest.raises(InvalidInput, match="Invalid depth 'h1'"):
        parse_depths("h1")
