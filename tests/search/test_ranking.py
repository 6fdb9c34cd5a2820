"""The rules that order what was found, each on its own and what they do together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.search.candidates import CandidateChunk
from devrag.search.query_intent import read_question
from devrag.search.ranking import (
    COHERENCE,
    FILE_NAME,
    FIRST,
    FOREIGN,
    OLDER,
    WORDS,
    Ranked,
    WeightedCandidate,
    rank,
)
from tests.search.hits import make_spot

# Asks for nothing that the spots below have: no rule applies.
NOTHING = "zzz qqq"
DEFINES, NAMED = "defines what was asked for", "named in the question"
TEST, ASIDE = "a test, ranked lower", "example or vendored, ranked lower"
DOCUMENT = "a document, ranked a little lower"
JAPANESE = "税率の計算"


def ranked(
    question: str, *spots: CandidateChunk, weights: Sequence[float] = ()
) -> list[Ranked]:
    """Rank spots, of equal weight unless weights are given."""
    weighed = zip(spots, weights or [0.5] * len(spots), strict=True)
    return rank(
        [WeightedCandidate(spot, weight) for spot, weight in weighed],
        read_question(question),
    )


def order(
    question: str, *spots: CandidateChunk, weights: Sequence[float] = ()
) -> list[int]:
    return [spot.chunk_id for spot, _ in ranked(question, *spots, weights=weights)]


def judge(question: str, *found: WeightedCandidate) -> list[int]:
    return [spot.chunk_id for spot, _ in rank(found, read_question(question))]


def reasons(
    question: str, words: float = 0.0, meaning: float = 0.0, **fields: Any
) -> tuple[str, ...]:
    """Return why a spot with these fields is where it is, beside a better one."""
    spot = make_spot(**{"path": "b/x.py"} | fields)
    better = WeightedCandidate(make_spot(chunk_id=2, path="a/y.py"), weight=0.5)
    found = [better, WeightedCandidate(spot, weight=0.4, words=words, meaning=meaning)]
    answer = rank(found, read_question(question))
    return next(why for each, why in answer if each == spot)


def test_without_rules_the_better_weight_is_first() -> None:
    other = make_spot(chunk_id=1, path="x.py"), make_spot(chunk_id=2, path="y.py")
    assert order(NOTHING, *other, weights=(0.2, 0.9)) == [2, 1]


def test_equal_weights_go_by_path() -> None:
    spots = make_spot(chunk_id=1, path="b.py"), make_spot(chunk_id=2, path="a.py")
    assert order(NOTHING, *spots) == [2, 1]


def test_nothing_to_rank() -> None:
    assert ranked(NOTHING) == []


@pytest.mark.parametrize(
    ("question", "fields", "expected"),
    [
        ("Cart", {"symbol_name": "Cart", "symbol_kind": "class"}, DEFINES),
        ("where is add_item called", {"symbol_name": "add_item"}, DEFINES),
        ("how the cart is filled", {"symbol_name": "Cart"}, NAMED),
        (NOTHING, {"path": "tests/till.py"}, TEST),
        (NOTHING, {"path": "examples/till.py"}, ASIDE),
        (NOTHING, {"file_kind": "doc"}, DOCUMENT),
        (JAPANESE, {"is_foreign": True, "meaning": 0.9}, FOREIGN),
        (NOTHING, {"words": 0.8}, WORDS),
        ("till", {"path": "src/till.py"}, FILE_NAME),
    ],
)
def test_a_rule_names_itself(
    question: str, fields: dict[str, Any], expected: str
) -> None:
    assert reasons(question, **fields) == (expected,)


@pytest.mark.parametrize(
    ("question", "fields"),
    [
        ("cart", {"symbol_name": "Cart"}),  # a name is asked for as it is written
        ("Cart", {"symbol_name": "add"}),
        ("how to fill it", {"symbol_name": ""}),
        ("testing of zzz", {"path": "tests/till.py"}),
        ("zzz のテスト", {"path": "tests/till.py"}),
        (NOTHING, {"path": "src/latest/till.py"}),
        (NOTHING, {"file_kind": "doc", "kind": "entry"}),
        (JAPANESE, {"meaning": 0.9}),
        (JAPANESE, {"is_foreign": True, "meaning": 0.8}),  # weighs as much as it is
        (JAPANESE, {"is_foreign": True}),
        (JAPANESE, {"words": 1.0}),
        (NOTHING, {"words": 0.7}),
    ],
)
def test_a_rule_leaves_alone_what_it_is_not_about(
    question: str, fields: dict[str, Any]
) -> None:
    assert reasons(question, **fields) == ()


def test_what_defines_a_name_beats_what_uses_it() -> None:
    use = make_spot(chunk_id=1, path="a.py")
    definition = make_spot(chunk_id=2, path="b.py", symbol_name="Cart")
    assert order("Cart", use, definition, weights=(1.0, 0.0)) == [2, 1]


def test_a_definition_weighs_less_in_a_sentence() -> None:
    use = make_spot(chunk_id=1, path="a.py")
    definition = make_spot(chunk_id=2, path="b.py", symbol_name="add_item")
    weights = (1.0, 0.4)
    assert order("add_item", use, definition, weights=weights) == [2, 1]
    assert order("who calls add_item", use, definition, weights=weights) == [1, 2]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("class", "function"),
        ("interface", "function"),
        ("function", "method"),
        ("constant", "variable"),
        ("method", "extension"),
    ],
)
def test_types_come_before_what_belongs_to_them(better: str, worse: str) -> None:
    name = {"symbol_name": "Cart"}
    one = make_spot(chunk_id=1, path="a.py", symbol_kind=worse, **name)
    other = make_spot(chunk_id=2, path="b.py", symbol_kind=better, **name)
    assert order("Cart", one, other) == [2, 1]


@pytest.mark.parametrize(
    "lower",
    [
        {"path": "tests/a.py"},
        {"path": "examples/a.py"},
        {"path": "a.md", "file_kind": "doc"},
    ],
)
def test_code_comes_before_what_is_beside_it(lower: dict[str, Any]) -> None:
    code = make_spot(chunk_id=2, path="src/z.py")
    assert order(NOTHING, make_spot(chunk_id=1, **lower), code) == [2, 1]


def test_for_a_japanese_question_english_counts_by_meaning() -> None:
    best = WeightedCandidate(
        make_spot(chunk_id=1, path="a.py"), weight=1.0, meaning=1.0
    )
    far = WeightedCandidate(make_spot(chunk_id=2, path="b.py"), weight=0.8, meaning=0.7)
    english = make_spot(chunk_id=3, path="c.py", is_foreign=True)
    code = WeightedCandidate(english, weight=0.6, meaning=0.9)
    assert judge(JAPANESE, best, far, code) == [1, 3, 2]


def test_words_in_common_never_harm_english() -> None:
    both = make_spot(chunk_id=1, path="a.py", is_foreign=True)
    one = make_spot(chunk_id=2, path="b.py", is_foreign=True)
    found = (
        WeightedCandidate(both, weight=0.95, meaning=0.9),
        WeightedCandidate(one, weight=0.6, meaning=0.9),
    )
    assert judge(JAPANESE, *reversed(found)) == [1, 2]


def test_a_file_that_alone_has_the_words_comes_first() -> None:
    some = WeightedCandidate(make_spot(chunk_id=1, path="a.py"), weight=0.6, words=0.4)
    all_ = WeightedCandidate(make_spot(chunk_id=2, path="b.py"), weight=0.5, words=1.0)
    assert judge(NOTHING, some, all_) == [2, 1]
    assert judge(JAPANESE, some, all_) == [1, 2]


def test_several_places_speak_for_a_file() -> None:
    alone = make_spot(chunk_id=1, path="a.py")
    several = [make_spot(chunk_id=n, path="b.py") for n in (2, 3)]
    found = ranked(NOTHING, alone, *several, weights=(1.0, 0.8, 0.8))
    assert [spot.chunk_id for spot, _ in found] == [2, 1, 3]
    assert [why for _, why in found] == [(COHERENCE,), (), ()]


def test_the_best_chunk_speaks_for_its_file() -> None:
    spots = [make_spot(chunk_id=n) for n in (1, 2, 3)]
    assert order(NOTHING, *spots, weights=(0.1, 0.9, 0.5)) == [2, 3, 1]


def test_the_file_that_is_named_comes_first() -> None:
    named = make_spot(chunk_id=1, path="src/http_client.py")
    other = make_spot(chunk_id=2, path="src/a.py")
    question = "http client zzz"
    assert order(question, other, named, weights=(1.0, 0.9)) == [1, 2]


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
    assert (FILE_NAME in reasons("zzz query", path=path)) == is_named


def test_the_first_ten_places_are_ten_files() -> None:
    crowd = [make_spot(chunk_id=n, path="a.py") for n in range(5)]
    files = [make_spot(chunk_id=10 + n, path=f"f{n}.py") for n in range(12)]
    weights = (1.0,) * 5 + (0.1,) * 12
    found = [spot for spot, _ in ranked(NOTHING, *crowd, *files, weights=weights)]
    assert len({spot.path for spot in found[:FIRST]}) == FIRST
    assert [spot.path for spot in found[FIRST:][:4]] == ["a.py"] * 4


def test_files_of_one_name_in_two_sources_are_two() -> None:
    spots = [make_spot(chunk_id=n, source_name=name) for n, name in enumerate("aab")]
    assert order(NOTHING, *spots, weights=(0.9, 0.8, 0.1)) == [0, 2, 1]


def test_each_entry_of_a_memo_is_a_document() -> None:
    entries = [make_spot(chunk_id=n, path="a.md", kind="entry") for n in range(3)]
    found = ranked(NOTHING, *entries, weights=(0.9, 0.8, 0.7))
    assert [spot.chunk_id for spot, _ in found] == [0, 1, 2]
    assert all(COHERENCE not in why for _, why in found)


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0, 1)), max_size=30))
def test_every_chunk_stays_once(drawn: list[tuple[int, float]]) -> None:
    spots = [make_spot(chunk_id=n, path=f"{f}.py") for n, (f, _) in enumerate(drawn)]
    weights = tuple(weight for _, weight in drawn)
    assert sorted(order(NOTHING, *spots, weights=weights)) == list(range(len(spots)))


def test_of_two_entries_the_newer_one_is_first() -> None:
    old = make_spot(chunk_id=1, path="a.md", kind="entry", date=date(2020, 5, 1))
    new = make_spot(chunk_id=2, path="b.md", kind="entry", date=date(2024, 5, 1))
    assert order(NOTHING, old, new) == [2, 1]
    assert [why for spot, why in ranked(NOTHING, old, new) if spot == old] == [(OLDER,)]


def test_a_very_old_entry_loses_no_more_than_an_old_one() -> None:
    old = make_spot(chunk_id=1, path="a.md", kind="entry", date=date(1999, 5, 1))
    new = make_spot(chunk_id=2, path="b.md", kind="entry", date=date(2024, 5, 1))
    assert order(NOTHING, old, new, weights=(0.6, 0.45)) == [1, 2]
