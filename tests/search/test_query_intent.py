"""What a query asks for, as far as its words tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.search.query_intent import is_japanese, read_question


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Cart", "Cart"),
        ("cart", "cart"),
        ("get_user", "get_user"),
        (" `get_user()` ", "get_user"),
        ("shop.Cart.add", "add"),
        ("std::vector", "vector"),
        ("Cart#add", "add"),
        ("this->total", "total"),
        ("App\\Models\\User", "User"),
        ("empty?", "empty?"),
    ],
)
def test_one_identifier_is_a_name(text: str, name: str) -> None:
    question = read_question(text)
    assert (question.is_name, question.names) == (True, (name,))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("how is tax computed", ()),
        ("where is get_user called", ("get_user",)),
        ("getUser or get_user", ("getUser", "get_user")),
        ("get_user and get_user", ("get_user",)),
        ("what does charge() return", ("charge",)),
        ("charge (of a card)", ()),
        ("who calls Cart.add and std::move", ("add", "move")),
        ("getUserの戻り値", ("getUser",)),
        ("引数からget_user()を呼ぶ", ("get_user",)),
        ("this and/or that", ()),
        ("who calls get_user?", ("get_user",)),
        ("why does os.sep? ", ("sep",)),
        ("where is user.empty? called", ("empty?",)),
        ("税率", ()),
        ("404", ()),
        ("", ()),
    ],
)
def test_names_within_a_sentence(text: str, names: tuple[str, ...]) -> None:
    assert read_question(text).names == names


def test_words_leave_out_what_is_everywhere() -> None:
    assert read_question("how is a queue of x drained").words == {"queue", "drained"}


def test_stems_are_those_of_the_words() -> None:
    assert read_question("queries mapped").stems == {"queri", "map"}


@pytest.mark.parametrize(
    ("text", "is_about_tests"),
    [("cart fixture", True), ("cartのテスト", True), ("latest cart", False)],
)
def test_a_question_may_be_about_tests(text: str, is_about_tests: bool) -> None:
    assert read_question(text).is_about_tests == is_about_tests


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("税", True), ("ぜい", True), ("ゼイ", True), ("ｾﾞｲ", True)),
        *(("tax 税", True), ("tax", False), ("café", False), ("", False)),
    ],
)
def test_kana_and_kanji_are_japanese(text: str, expected: bool) -> None:
    assert is_japanese(text) == expected
    assert read_question(text).is_japanese == expected


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    question = read_question(text)
    assert all(name and name in text for name in question.names)


@pytest.mark.parametrize(
    ("text", "is_how_to"),
    [
        ("test suite how to run", True),
        ("How do I run the tests?", True),
        ("steps to release", True),
        ("テストの実行方法", True),
        ("ビルドしたい", True),
        ("本番へ出す手順", True),
        ("how do I get the usage as a string", False),
        ("how is tax computed", False),
        ("実行時のエラー", False),
    ],
)
def test_who_asks_how_to_do_something_wants_instructions(
    text: str, *, is_how_to: bool
) -> None:
    question = read_question(text)
    assert question.is_how_to is is_how_to
    assert not (question.is_how_to and question.is_about_tests)
