"""Why a hit is where it is, in words."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.search.query_intent import read_question
from devrag.search.reasons import (
    explain,
    is_partial,
    matched_terms,
    translated_terms,
)
from devrag.search.types import MatchedLine
from tests.search.hits import make_hit


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, ()),
        ({"lexical_rank": 1}, ("1st in keyword search",)),
        ({"semantic_rank": 22}, ("22nd in semantic search",)),
        ({"matched_terms": ("card", "tax")}, ("contains card, tax",)),
        (
            {"why": ("a rule",), "lexical_rank": 3, "matched_terms": ("tax",)},
            ("a rule", "3rd in keyword search", "contains tax"),
        ),
        ({"matched_lines": (MatchedLine(1, "x"),), "matched_terms": ("x",)}, ()),
    ],
)
def test_rules_then_places_then_terms(
    fields: dict[str, Any], said: tuple[str, ...]
) -> None:
    assert explain(make_hit(**fields)) == said


def test_no_more_than_eight_terms_are_named() -> None:
    assert explain(make_hit(matched_terms=tuple("abcdefghij"))) == (
        "contains a, b, c, d, e, f, g, h",
    )


@pytest.mark.parametrize(
    ("question", "text", "terms"),
    [
        ("リダイレクトはどこで処理されるか", "redirects are sent", ("redirect",)),
        ("表示しているもの", "表示して、しれる", ("表示",)),
    ],
)
def test_terms_are_words_with_a_meaning_in_either_language(
    question: str, text: str, terms: tuple[str, ...]
) -> None:
    assert matched_terms(make_hit(text=text), read_question(question)) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("a Callback  Function required here", ("Callback  Function required",)),
        ("// callback\n// function required", ("// function required", "callback")),
        ("a callback, no function", ("callback", "function")),
    ],
)
def test_a_phrase_counts_as_a_whole_where_it_stands(
    text: str, terms: tuple[str, ...]
) -> None:
    phrase = "callback function required"
    found = matched_terms(make_hit(text=text), read_question(phrase), [phrase])
    assert found == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("ctx = self.make_context()  # Context", ("make_context",)),
        ("def _make_sub_context(self): ...", ("context", "make")),
    ],
)
def test_parts_of_a_name_count_only_without_the_whole(
    text: str, terms: tuple[str, ...]
) -> None:
    question = read_question("make_context")
    assert matched_terms(make_hit(text=text), question) == terms


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("make_context", "ctx = self.make_context()", False),
        ("make_context", "def _make_sub_context(self): ...", True),
        ("context", "the contexts of commands", False),
        ("make context", "def _make_sub_context(self): ...", False),
    ],
)
def test_a_hit_of_parts_of_a_name_is_told_from_one_of_the_whole(
    name: str, text: str, *, expected: bool
) -> None:
    assert is_partial(make_hit(text=text), read_question(name)) is expected


def test_a_term_in_the_other_language_names_the_asked_word() -> None:
    question = read_question("リダイレクト redirect 検証 flag")
    assert dict(translated_terms(("redirect", "flag"), question)) == {}
    found = dict(translated_terms(("redirects",), read_question("リダイレクト")))
    assert found == {"redirects": "リダイレクト"}
    hit = make_hit(matched_terms=("check", "flag"), translated=(("check", "検証"),))
    assert explain(hit) == ("contains check (検証), flag",)
