"""The analyser that documents and queries share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.search.lexical.analyser import as_written, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("機械学習は統計学の応用です", ["機械", "学習", "統計", "学", "応用"]),
        ("Python API", ["python", "api"]),
        ("ＡＢＣ", ["abc"]),
        ("getUserById", ["getuserbyid", "get", "user", "by", "id"]),
        ("get_user_by_id2", ["get_user_by_id2", "get", "user", "by", "id", "2"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("URLsOfAPIs", ["urlsofapis", "urls", "of", "apis"]),
        ("税率taxRateを計算", ["税率", "taxrate", "tax", "rate", "計算"]),
        ("配信を止めて、早く戻した", ["配信", "止める", "早い", "戻す"]),
        ("サーバーとサーバ", ["サーバ", "サーバ"]),
        ("ﾕｰｻﾞｰ", ["ユーザ"]),
        ("コピーのキー", ["コピー", "キー"]),
        ("mainで、ORDERが", ["main", "order"]),  # no conjunctions: で, が
        ("", []),
        ("!!! ???", []),
    ],
)
def test_examples(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


@given(st.text())
def test_any_text_gives_tokens_without_whitespace(text: str) -> None:
    assert all(
        token and not any(c.isspace() for c in token) for token in tokenize(text)
    )


@pytest.mark.parametrize(
    ("word", "text", "written"),
    [
        ("止める", "配信を止めた", {"止め"}),
        ("サーバ", "APIサーバー", {"サーバー"}),
        ("api", "APIサーバー", {"api"}),
        ("止める", "stop.py", {"止める"}),
    ],
)
def test_a_word_is_told_as_the_text_writes_it(
    word: str, text: str, written: set[str]
) -> None:
    assert as_written({word}, text) == written
