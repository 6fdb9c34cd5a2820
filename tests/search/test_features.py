"""What ranking knows of a candidate, number by number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from devrag.search.candidates import CandidateChunk
from devrag.search.features import Features, Ranks, read_features
from devrag.search.query_intent import read_question
from tests.search.hits import make_spot


def features(
    question: str,
    *spots: CandidateChunk,
    words: Mapping[int, float] | None = None,
    meaning: Mapping[int, float] | None = None,
    fused: Mapping[int, float] | None = None,
    cosines: Mapping[int, float] | None = None,
) -> list[Features]:
    ranks = Ranks(words or {}, meaning or {}, fused or {}, cosines or {})
    return read_features(read_question(question), spots, ranks)


def of_one(question: str, **fields: Any) -> Features:
    """Return the features of a spot beside one that has nothing to do with it."""
    other = make_spot(chunk_id=2, path="zzz.py")
    return features(question, make_spot(**fields), other)[0]


def test_nothing_has_no_features() -> None:
    assert features("cart") == []


def test_scores_count_as_parts_of_the_best() -> None:
    spots = [make_spot(chunk_id=n) for n in (1, 2, 3)]
    found = features("cart", *spots, words={2: 8.0, 1: 2.0})
    assert [each.words for each in found] == [0.25, 1.0, 0.0]


def test_cosines_count_by_how_far_they_stand_out() -> None:
    spots = [make_spot(chunk_id=n) for n in (1, 2, 3)]
    found = features("cart", *spots, cosines={1: 0.9, 2: 0.8, 3: 0.85})
    assert [each.cosine for each in found] == pytest.approx([0.05, -0.05, 0.0])
    assert [each.cosine_spread for each in found] == pytest.approx(
        [1.5**0.5, -(1.5**0.5), 0.0], abs=1e-9
    )


def test_a_text_without_a_vector_is_as_far_as_the_farthest() -> None:
    spots = [make_spot(chunk_id=n) for n in (1, 2, 3)]
    found = features("cart", *spots, cosines={1: 0.9, 3: 0.7})
    assert found[1].cosine == found[2].cosine < 0 < found[0].cosine


def test_places_count_less_the_later_they_are() -> None:
    spots = [make_spot(chunk_id=n) for n in (1, 2)]
    found = features("cart", *spots, words={2: 8.0, 1: 2.0})
    assert [each.words_rank for each in found] == [pytest.approx(61 / 62), 1.0]
    assert [each.meaning_rank for each in found] == [0.0, 0.0]


def test_all_scores_alike_tell_nothing() -> None:
    (found,) = features("cart", make_spot(), words={1: 0.0}, cosines={1: 0.8})
    assert (found.words, found.cosine_spread) == (0.0, 0.0)


def test_a_rare_word_says_more_than_a_frequent_one() -> None:
    spots = [make_spot(chunk_id=n, text="a cart") for n in range(9)]
    rare = make_spot(chunk_id=20, text="refund")
    found = features("cart refund", *spots, rare)
    assert found[-1].text > 0.5 > found[0].text
    assert found[-1].text + found[0].text == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "share", "only"),
    [
        ("add_item", 1.0, 1.0),
        ("addItems", 1.0, 1.0),
        ("add", 0.5, 1.0),
        ("add_item_to_cart", 1.0, 0.5),
        ("HTTPServer", 0.0, 0.0),
        ("", 0.0, 0.0),
    ],
)
def test_words_of_a_name(name: str, share: float, only: float) -> None:
    found = of_one("adding items", symbol_name=name)
    assert found.name == pytest.approx(share, abs=0.01)
    assert found.name_only == pytest.approx(only)


def test_a_text_has_words_in_any_form() -> None:
    found = of_one("parsing queries", text="def parse(query):")
    assert found.text == 1.0


def test_a_japanese_text_has_verbs_in_any_form() -> None:
    assert of_one("処理を止める", text="ここで処理を止めた").text == 1.0


@pytest.mark.parametrize(
    ("path", "is_named"),
    [
        ("src/queries.py", True),  # by its stem
        ("src/QueryRunner.java", True),
        ("src/que.py", True),  # the beginning of what was asked for
        ("src/query_log/a.py", False),  # a folder is not the file's name
        ("src/qu.py", False),
        ("src/zzzquery.py", True),  # two words written as one
    ],
)
def test_a_file_is_named_by_a_word_of_its_name(path: str, is_named: bool) -> None:
    assert (of_one("zzz query", path=path).file_name > 0) == is_named


def test_folders_have_words_too() -> None:
    assert of_one("query log", path="src/query_log/a.py").folders == pytest.approx(1.0)


def test_a_file_weighs_by_its_best_chunks() -> None:
    alone = make_spot(chunk_id=1, path="a.py")
    several = [make_spot(chunk_id=n, path="b.py") for n in (2, 3)]
    fused = {1: 0.8, 2: 0.8, 3: 0.8}
    one, first, second = features("cart", alone, *several, fused=fused)
    assert first.file == second.file == 1.0
    assert one.file == pytest.approx(0.8 / 1.2)


def test_each_entry_of_a_memo_is_a_file_of_its_own() -> None:
    entries = [make_spot(chunk_id=n, path="a.md", kind="entry") for n in (1, 2)]
    found = features("cart", *entries, fused={1: 0.8, 2: 0.4})
    assert [each.file for each in found] == [1.0, 0.5]


@pytest.mark.parametrize(
    ("question", "fields", "name", "expected"),
    [
        ("cart", {"path": "tests/till.py"}, "is_test", 1.0),
        ("how is the cart tested", {"path": "tests/till.py"}, "is_test", 1.0),
        ("fixture of the cart", {"path": "tests/till.py"}, "is_test", 0.0),
        ("カートのテスト", {"path": "tests/till.py"}, "is_test", 0.0),
        ("cart", {"path": "src/latest/till.py"}, "is_test", 0.0),
        ("cart", {"symbol_name": "add"}, "is_definition", 1.0),
        ("cart", {}, "is_definition", 0.0),
        ("cart", {"kind": "entry"}, "is_entry", 1.0),
        ("cart", {"symbol_name": "a", "is_first": False}, "is_further_piece", 1.0),
        ("cart", {"symbol_name": "a"}, "is_further_piece", 0.0),
    ],
)
def test_what_a_candidate_is(
    question: str, fields: dict[str, Any], name: str, expected: float
) -> None:
    assert getattr(of_one(question, **fields), name) == expected
