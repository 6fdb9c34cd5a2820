"""Candidates are ordered by what their features are worth, and each says why."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.search import ranking
from devrag.search.candidates import CandidateChunk
from devrag.search.features import Features
from devrag.search.query_intent import read_question
from devrag.search.ranking import (
    ASIDE,
    COHERENCE,
    DEFINES,
    FILE_NAME,
    GUIDE,
    MEANING,
    NAMED,
    OLDER,
    TEST,
    TOOLING,
    USES,
    WORDS,
    Ranked,
    rank,
)
from devrag.search.weights import DEFINITIONS, GENERAL, Weights
from tests.search.hits import make_spot

NONE = Features(*[0.0] * len(Features._fields))
# Asks for nothing that the spots below have.
NOTHING = "zzz qqq"


@pytest.fixture(autouse=True)
def _plain_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing but `words` and `is_test` count, so that fitting changes no test."""
    plain = NONE._replace(words=10.0, is_test=-4.0)
    table = Weights(plain, plain, document_bias=-1.0, coherence=0.5, next_of_file=1.0)
    monkeypatch.setattr(ranking, "GENERAL", table)
    of_a_kind = Weights(plain, plain, -1.0, coherence=0.0, next_of_file=0.25)
    monkeypatch.setattr(ranking, "DEFINITIONS", of_a_kind)


def ranked(
    question: str,
    *spots: CandidateChunk,
    words: Sequence[float] = (),
    are_definitions: bool = False,
    users: Collection[int] = (),
) -> list[Ranked]:
    """Rank spots, of equal scores unless some are given."""
    scores = words or [0.5] * len(spots)
    features = [NONE._replace(words=each) for each in scores]
    return rank(
        spots,
        features,
        read_question(question),
        are_definitions=are_definitions,
        users=users,
    )


def order(question: str, *spots: CandidateChunk, **options: Any) -> list[int]:
    return [each.spot.chunk_id for each in ranked(question, *spots, **options)]


def test_nothing_to_rank() -> None:
    assert ranked(NOTHING) == []


def test_the_better_value_is_first() -> None:
    spots = make_spot(chunk_id=1, path="x.py"), make_spot(chunk_id=2, path="y.py")
    assert order(NOTHING, *spots, words=(0.2, 0.9)) == [2, 1]


def test_equal_values_go_by_path() -> None:
    spots = make_spot(chunk_id=1, path="b.py"), make_spot(chunk_id=2, path="a.py")
    assert order(NOTHING, *spots) == [2, 1]


def test_documents_have_weights_of_their_own() -> None:
    code = make_spot(chunk_id=2, path="src/z.py")
    document = make_spot(chunk_id=1, path="a.md", file_kind="doc")
    assert order(NOTHING, document, code) == [2, 1]


def test_scores_are_in_order_and_between_0_and_1() -> None:
    spots = [make_spot(chunk_id=n, path=f"{n}.py") for n in range(5)]
    found = ranked("add", *spots, words=(0.0, 1.0, 0.3, 0.9, 0.1))
    scores = [each.score for each in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 1 for score in scores)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({"name": 0.6}, NAMED),
        ({"words": 0.8}, WORDS),
        ({"meaning_rank": 0.95}, MEANING),
        ({"file_name": 0.5}, FILE_NAME),
        ({"is_test": 1.0}, TEST),
    ],
)
def test_a_feature_that_tells_is_a_reason(
    found: dict[str, float], expected: str
) -> None:
    question = read_question(NOTHING)
    (only,) = rank([make_spot()], [NONE._replace(**found)], question)
    assert only.reasons == (expected,)
    (weak,) = rank([make_spot()], [NONE._replace(words=0.7, name=0.4)], question)
    assert weak.reasons == ()


def test_examples_and_vendored_code_rank_lower() -> None:
    aside = make_spot(chunk_id=1, path="examples/a.py")
    own = make_spot(chunk_id=2, path="src/a.py")
    found = ranked(NOTHING, aside, own, words=(0.6, 0.5))
    assert [each.spot.chunk_id for each in found] == [2, 1]
    assert found[1].reasons == (ASIDE,)


def test_what_defines_a_name_beats_what_uses_it() -> None:
    use = make_spot(chunk_id=1, path="a.py")
    definition = make_spot(chunk_id=2, path="b.py", symbol_name="Cart")
    found = ranked("Cart", use, definition, words=(0.9, 0.0))
    assert [each.spot.chunk_id for each in found] == [2, 1]
    assert DEFINES in found[0].reasons


def test_only_the_first_piece_of_a_definition_defines_it() -> None:
    first = make_spot(chunk_id=2, path="b.py", symbol_name="Cart")
    further = make_spot(chunk_id=1, path="b.py", symbol_name="Cart", is_first=False)
    assert order("Cart", further, first) == [2, 1]


def test_a_file_is_not_defined_by_the_end_of_its_name() -> None:
    file = make_spot(
        chunk_id=1,
        path="test/res.redirect.js",
        symbol_name="redirect",
        symbol_kind="module",
    )
    method = make_spot(
        chunk_id=2, path="lib/a.js", symbol_name="redirect", symbol_kind="method"
    )
    found = ranked("redirect", file, method, words=(0.5, 0.0))
    assert [each.spot.chunk_id for each in found] == [2, 1]
    assert DEFINES not in found[1].reasons


@pytest.mark.parametrize(
    ("question", "expected"), [("Cart", [2, 1]), ("test Cart", [1, 2])]
)
def test_what_a_test_defines_follows_what_the_source_does(
    question: str, expected: list[int]
) -> None:
    in_test = make_spot(chunk_id=1, path="tests/a.py", symbol_name="Cart")
    own = make_spot(chunk_id=2, path="src/b.py", symbol_name="Cart")
    assert order(question, in_test, own, words=(0.9, 0.0)) == expected


def test_a_definition_weighs_less_in_a_sentence() -> None:
    use = make_spot(chunk_id=1, path="a.py")
    definition = make_spot(chunk_id=2, path="b.py", symbol_name="add_item")
    assert order("add_item", use, definition, words=(0.9, 0.4)) == [2, 1]
    assert order("who calls add_item", use, definition, words=(0.9, 0.4)) == [1, 2]


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


def test_several_places_speak_for_a_file() -> None:
    alone = make_spot(chunk_id=1, path="a.py")
    several = [make_spot(chunk_id=n, path="b.py") for n in (2, 3, 4)]
    found = ranked(NOTHING, alone, *several, words=(0.8, 0.75, 0.75, 0.75))
    assert [each.spot.chunk_id for each in found] == [2, 1, 3, 4]
    assert found[0].reasons == (COHERENCE,)


def test_length_alone_does_not_speak_for_a_file() -> None:
    note = make_spot(chunk_id=1, path="a.md")
    handbook = [make_spot(chunk_id=2 + n, path="b.md") for n in range(20)]
    scores = (0.7, 0.6, *[0.0] * 19)
    found = ranked(NOTHING, note, *handbook, words=scores)
    assert [each.spot.chunk_id for each in found][:2] == [1, 2]
    assert COHERENCE not in found[1].reasons


def test_a_file_does_not_crowd_out_others() -> None:
    crowd = [make_spot(chunk_id=n, path="a.py") for n in range(5)]
    other = make_spot(chunk_id=9, path="b.py")
    scores = (0.9, 0.9, 0.9, 0.9, 0.9, 0.75)
    assert order(NOTHING, *crowd, other, words=scores) == [0, 1, 9, 2, 3, 4]


def test_among_definitions_several_of_a_file_may_lead() -> None:
    crowd = [make_spot(chunk_id=n, path="a.py") for n in range(5)]
    other = make_spot(chunk_id=9, path="b.py")
    scores = (0.9, 0.9, 0.9, 0.9, 0.9, 0.75)
    found = order(NOTHING, *crowd, other, words=scores, are_definitions=True)
    assert found == [0, 1, 2, 3, 4, 9]


def test_files_of_one_name_in_two_sources_are_two() -> None:
    spots = [make_spot(chunk_id=n, source_name=name) for n, name in enumerate("aab")]
    assert order(NOTHING, *spots, words=(0.9, 0.85, 0.85)) == [0, 2, 1]


def test_each_entry_of_a_memo_is_a_document() -> None:
    entries = [make_spot(chunk_id=n, path="a.md", kind="entry") for n in range(3)]
    found = ranked(NOTHING, *entries, words=(0.7, 0.7, 0.7))
    assert {each.score for each in found} == {found[0].score}
    assert all(COHERENCE not in each.reasons for each in found)


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0, 1)), max_size=30))
def test_every_chunk_stays_once(drawn: list[tuple[int, float]]) -> None:
    spots = [make_spot(chunk_id=n, path=f"{f}.py") for n, (f, _) in enumerate(drawn)]
    words = tuple(score for _, score in drawn)
    assert sorted(order(NOTHING, *spots, words=words)) == list(range(len(spots)))


def test_of_two_entries_the_newer_one_is_first() -> None:
    old = make_spot(chunk_id=1, path="a.md", kind="entry", date=date(2020, 5, 1))
    new = make_spot(chunk_id=2, path="b.md", kind="entry", date=date(2024, 5, 1))
    found = ranked(NOTHING, old, new)
    assert [each.spot for each in found] == [new, old]
    assert [each.reasons for each in found] == [(), (OLDER,)]


def test_a_very_old_entry_loses_no_more_than_an_old_one() -> None:
    old = make_spot(chunk_id=1, path="a.md", kind="entry", date=date(1999, 5, 1))
    new = make_spot(chunk_id=2, path="b.md", kind="entry", date=date(2024, 5, 1))
    assert order(NOTHING, old, new, words=(0.6, 0.5)) == [1, 2]


def test_a_release_loses_by_every_year() -> None:
    old, new = (
        make_spot(chunk_id=year, path="History.md", kind="entry", date=date(year, 5, 1))
        for year in (2014, 2024)
    )
    assert order(NOTHING, old, new, words=(0.6, 0.5)) == [2024, 2014]


@pytest.mark.parametrize("table", [GENERAL, DEFINITIONS])
def test_what_is_fitted_prefers_what_fits(table: Weights) -> None:
    assert table.code.cosine > 0
    assert table.code.text > 0
    assert table.code.is_test < 0
    assert table.document.cosine_spread > 0


def test_code_among_documents_is_their_tooling() -> None:
    code = make_spot(path="site/theme.mjs")
    documents = [
        make_spot(path=f"{n}.md", file_kind="doc", kind="section") for n in range(9)
    ]
    found = ranked(NOTHING, code, *documents, words=[0.7, *[0.5] * 9])
    assert found[-1].spot == code
    assert TOOLING in found[-1].rules
    assert ranked(NOTHING, code, *documents[:2], words=[0.7, 0.5, 0.5])[0].spot == code
    # Who writes a name looks for code.
    assert (
        ranked("openTheme", code, *documents, words=[0.7, *[0.5] * 9])[0].spot == code
    )


def test_what_uses_a_name_follows_its_definition() -> None:
    like = make_spot(chunk_id=1, path="a.py", text="def make_metavar(): ...")
    caller = make_spot(chunk_id=2, path="b.py", text="ctx = make_context()")
    definition = make_spot(chunk_id=3, path="c.py", symbol_name="make_context")
    writes = make_spot(chunk_id=4, path="d.py", text="see make_context for more")
    spots = (like, caller, definition, writes)
    found = ranked("make_context", *spots, words=(0.4, 0.1, 0.1, 0.1), users={2})
    assert [each.spot.chunk_id for each in found] == [3, 2, 4, 1]
    assert USES in found[1].reasons


def test_a_use_never_passes_the_definition() -> None:
    use = make_spot(chunk_id=1, path="a.py", text="Cart()")
    method = make_spot(
        chunk_id=2, path="b.py", symbol_name="Cart", symbol_kind="method"
    )
    assert order("Cart", use, method, words=(1.0, 0.0), users={1}) == [2, 1]


def test_documents_lead_where_instructions_are_asked_for() -> None:
    test = make_spot(chunk_id=1, path="tests/test_suite.py")
    guide = make_spot(chunk_id=2, path="docs/contributing.md", file_kind="doc")
    found = ranked("test suite how to run", test, guide, words=(0.7, 0.5))
    assert [each.spot.chunk_id for each in found] == [2, 1]
    assert GUIDE in found[0].reasons
