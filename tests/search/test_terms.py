"""Japanese words and what code calls them."""

from __future__ import annotations

import pytest

from devrag.search.lexical.analyser import tokenize
from devrag.search.lexical.terms import counterparts, spelt_out


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("リダイレクト", "redirect"),
        ("認証", "authentication"),
        ("redirect", "リダイレクト"),
        ("exception", "例外"),
        ("サブコマンド", "subcommand"),
        ("追加", "added"),
        ("追加", "add"),
    ],
)
def test_both_languages_name_each_other(word: str, other: str) -> None:
    assert other in counterparts(word)


def test_most_words_have_no_counterpart() -> None:
    assert counterparts("zzzqqqxx") == ()


@pytest.mark.parametrize("text", ["サーバー", "コネクション", "引数"])
def test_the_table_has_words_as_the_index_does(text: str) -> None:
    (token,) = tokenize(text)
    assert counterparts(token)


def test_a_compound_loan_word_is_called_by_its_parts() -> None:
    assert counterparts("エラーハンドラ") == ("error", "handler")
    assert spelt_out("エラーハンドラ") == ("error handler",)
    assert spelt_out("ハンドラ") == counterparts("ハンドラ")
    assert spelt_out("エラー文") == ()
