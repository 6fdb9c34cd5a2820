"""Phrases and filters within a question."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM
from devrag.search.query_parser import parse_query, suggest_filters
from devrag.search.types import SearchQuery


def read(text: str, **options: Any) -> SearchQuery:
    return parse_query(SearchQuery(text=text, principal=SYSTEM, **options))


@pytest.mark.parametrize(
    ("text", "words", "fields"),
    [
        ("lang:go retry", "retry", {"language": "go"}),
        ("retry language:Golang", "retry", {"language": "go"}),
        ("lang:c++ lang:cpp retry", "retry", {"language": "cpp"}),
        ("kind:Method retry", "retry", {"kind": "method"}),
        ("source:owner/name retry", "retry", {"source": "owner/name"}),
        ('product:"big shop" retry', "retry", {"product": "big shop"}),
        ("path:/src/ path:api x", "x", {"paths": ("src/", "api")}),
        ("x -path:tests", "x", {"without_paths": ("tests",)}),
        (
            'tax "is  charged" here',
            "tax is  charged here",
            {"phrases": ("is  charged",)},
        ),
        ("“tax rate”?", "tax rate?", {"phrases": ("tax rate",)}),
        ('"lang:go" x', "lang:go x", {"phrases": ("lang:go",), "language": ""}),
        ("lang:zig", "", {"language": "zig"}),
        ("税率 lang:go", "税率", {"language": "go"}),
    ],
)
def test_filters_and_phrases_leave_the_words(
    text: str, words: str, fields: dict[str, Any]
) -> None:
    query = read(text)
    assert query.text == words
    assert {name: getattr(query, name) for name in fields} == fields


@pytest.mark.parametrize(
    "text",
    [
        *("std::string", "path::join", "a:b", "foo:bar", "http://x/lang:go", "kind: x"),
        *("source://x", "f(kind:str)", "lang:", "-lang", "path", "x-path:tests"),
        *('say "hello', 'get("TAX", "10")', '5" wide', '""', "repo:x OR body:*"),
        "'; DROP TABLE x; --",
    ],
)
def test_all_else_is_text(text: str) -> None:
    assert read(text) == SearchQuery(text=text, principal=SYSTEM)


def test_what_nobody_sees_is_left_out() -> None:
    assert read("\ufeffto\u200bken\xad \u202elang:go\x07").text == "token"
    assert read("\u202etoken lang:go").language == "go"


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("lang:go lang:rust x", {}, "two values for language: 'go' and 'rust'"),
        (
            "source:a x",
            {"source": "b"},
            "contains source 'a', but the filter is set to 'b'",
        ),
        ("-lang:go x", {}, "Only -path: and -label: can exclude results"),
    ],
)
def test_contradictions_are_named(
    text: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(InvalidInput, match=words):
        read(text, **options)


def test_text_and_filter_may_agree() -> None:
    assert read("lang:py x", language="Python").language == "python"


@pytest.mark.parametrize(
    ("text", "is_typing"),
    [
        *(("char", True), ("char ", False), ('"cha"', False), ("x lang:go", False)),
        *(("lang:go x", True), ('"tax" ra', True)),
    ],
)
def test_a_word_is_being_typed_until_something_ends_it(
    text: str, is_typing: bool
) -> None:
    assert read(text, is_typing=True).is_typing == is_typing


def test_the_beginning_of_a_filter_does_not_count_while_typing() -> None:
    assert read("x lang:pyt", is_typing=True).language == ""
    assert read("x kind:fun", is_typing=True).kind == ""
    assert read("x lang:pyt ", is_typing=True).language == "pyt"


@given(st.text(alphabet='lang:pthkid-"“” \t/x漢', max_size=40))
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        query = read(text)
    except InvalidInput:
        return
    assert all(word in text for word in query.text.split())


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("merge file:utils.js", [("file:utils.js", "path:utils.js")]),
        ("ext:go repo:tea", [("ext:go", "lang:go"), ("repo:tea", "source:tea")]),
        ("ext:.py symbol:getUser", [("ext:.py", "lang:py")]),
        ("path:src std::string file::read http://x a:b", []),
    ],
)
def test_filters_of_other_tools_have_ours_beside_them(
    text: str, ours: list[tuple[str, str]]
) -> None:
    assert suggest_filters(text) == ours
