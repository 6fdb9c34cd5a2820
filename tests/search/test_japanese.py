"""Japanese text to the words that carry meaning."""

from __future__ import annotations

import pytest

from devrag.search.lexical.japanese import (
    indexed_forms,
    japanese_words,
    readings_asked,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("リダイレクトはどこで処理されるか", ["リダイレクト", "処理"]),
        ("表示しているもの", ["表示"]),
        ("それができない", []),
        ("どうやって決まるのか", ["決まる"]),
        ("引当て", ["引当"]),
        ("引き当て", ["引当"]),
        ("止めた", ["止める"]),
        ("サーバー", ["サーバ"]),
    ],
)
def test_words_with_a_meaning_of_their_own_remain(text: str, words: list[str]) -> None:
    assert [form for _, form in japanese_words(text)] == words


def test_words_in_kanji_carry_their_reading_into_the_index() -> None:
    assert list(indexed_forms("棚卸のリスト")) == ["棚卸", "~タナオロシ", "リスト"]


@pytest.mark.parametrize(
    ("text", "readings"),
    [("たなおろし", {"~タナオロシ"}), ("棚卸する", set()), ("stock", set())],
)
def test_a_question_in_kana_asks_for_readings(text: str, readings: set[str]) -> None:
    assert readings_asked(text) == readings
