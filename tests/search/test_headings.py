"""A section whose own heading is what was asked for comes first."""

from __future__ import annotations

import pytest

from devrag.search.features import Features
from devrag.search.headings import heading_worth, is_titled
from devrag.search.pipeline import without_nested
from devrag.search.query_intent import read_question
from devrag.search.ranking import Ranked
from tests.search.hits import make_spot

NONE = Features(*[0.0] * len(Features._fields))


def worth(question: str, heading: str, depth: int = 1) -> float:
    spot = make_spot(heading=heading, depth=depth, file_kind="doc", kind="section")
    return heading_worth(read_question(question), spot)


@pytest.mark.parametrize(
    "heading", ["命名規約", "ネーミング規約", "命名規則", "1.2 命名ルール"]
)
def test_a_heading_counts_in_other_words(heading: str) -> None:
    assert worth("命名規則", heading) == worth("命名規則", "命名規則") > 0


def test_a_heading_of_these_words_alone_counts_most() -> None:
    assert worth("命名規則", "命名規約") > worth("命名規則", "サービス別の命名規約") > 0


def test_a_chapter_counts_more_than_a_section_below() -> None:
    assert worth("naming", "Naming", 1) > worth("naming", "Naming", 3) > 0


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("命名規則", "規約"),
        ("命名規則", ""),
        ("how do I choose good names for all my public classes", "Names"),
    ],
)
def test_other_headings_count_nothing(question: str, heading: str) -> None:
    assert worth(question, heading) == 0


def section(heading: str, lines: tuple[int, int], **features: float) -> Ranked:
    spot = make_spot(
        kind="section",
        heading=heading,
        start_line=lines[0],
        end_line=lines[1],
    )
    return Ranked(spot, 0.5, NONE._replace(**features))


def kept(question: str, *ranked: Ranked) -> list[str]:
    found = without_nested(ranked, read_question(question))
    return [each.spot.heading for each in found]


def test_a_chapter_that_was_asked_for_does_not_give_way_to_its_parts() -> None:
    chapter, part = section("ネーミング規約", (1, 90)), section("パッケージ", (9, 20))
    assert kept("ネーミング規約", chapter, part) == ["ネーミング規約"]
    assert kept("パッケージ", chapter, part) == ["パッケージ"]


def test_what_has_the_word_does_not_give_way_to_what_has_not() -> None:
    outer, inner = section("Columns", (1, 90), text=1.0), section("Keys", (9, 20))
    assert kept("NULL", outer, inner) == ["Columns"]
    assert kept("NULL", outer, section("Keys", (9, 20), text=0.5)) == ["Keys"]


def test_a_heading_is_not_that_of_a_file_of_code() -> None:
    assert not is_titled(read_question("naming"), make_spot())
