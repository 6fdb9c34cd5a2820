"""How strictly a sentence asks for something, and which of them can be read alone."""

from __future__ import annotations

import pytest

from devrag.wiki.writing.structural.documents.rules import (
    PLAIN,
    STRICT,
    STRONG,
    strength_of,
)


@pytest.mark.parametrize(
    ("sentence", "strength"),
    [
        ("`3.0.3` 系を利用することを推奨しています。", STRICT),
        ("原則使用禁止とする。", STRICT),
        ("Every service must log what it does.", STRICT),
        ("末尾の`;`（セミコロン）は記述しない。", STRONG),
        ("大量件数の delete 文発行は避ける。", STRONG),
        ("Names should be short.", STRONG),
        ("カラム名を記載すること。", PLAIN),
        ("索引は木である。", 0),
        ("The shop keeps its stock in PostgreSQL.", 0),
        ("もし、認証が必須であれば記載する。", 0),
        ("すべて禁止することはできません。", 0),
        ("省略してもよい。", 0),
        ("You don't have to close it.", 0),
        ("Don't worry about the order.", 0),
        ("Set `must` or `required` there.", 0),
    ],
)
def test_the_strength_of_a_sentence(sentence: str, strength: int) -> None:
    assert strength_of(sentence) == strength
