"""The analyser that documents and queries share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.search.lexical.analyser import tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("機械学習は統計学の応用です", ["機械", "学習", "統計", "学", "応用"]),  # T3
        ("Python API", ["python", "api"]),  # T4
        ("ＡＢＣ", ["abc"]),  # T4
        ("getUserById", ["getuserbyid", "get", "user", "by", "id"]),
        ("get_user_by_id2", ["get_user_by_id2", "get", "user", "by", "id", "2"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("税率taxRateを計算", ["税率", "taxrate", "tax", "rate", "計算"]),
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
