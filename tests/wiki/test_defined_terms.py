"""Terms that documents define in a sentence, in English and Japanese."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.glossary import terms_of
from tests.wiki.shop import SHOP, analyse


def found(text: str) -> dict[str, str]:
    return {t.term: t.meaning for t in terms_of(analyse({"notes/page.md": text}))}


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("# Pod\n\nA pod is a group of containers that run together.\n", "Pod"),
        (
            "# Load balancers\n\nLoad balancers are tools to share work.\n",
            "Load balancers",
        ),
        ("# Rules\n\nA **quota** is the amount that one team may use.\n", "quota"),
        ("# Rules\n\n## Edge (the)\n\nThe edge is a place near to users.\n", "Edge"),
        (
            "---\ntitle: Sidecar\n---\n\nA sidecar is a container beside others.\n",
            "Sidecar",
        ),
        ("# 用語\n\n所有権とは、値を解放する責任を持つことです。\n", "所有権"),
        ("# タプル\n\nタプルは、いくつかの値をまとめる型の一つです。\n", "タプル"),
        ("# 方針\n\n社内開発標準（以下「標準」という）に従います。\n", "標準"),
        (
            "# 方針\n\nアプリケーションプログラミングインターフェース（API）を使う。\n",
            "API",
        ),
    ],
)
def test_a_sentence_defines(text: str, term: str) -> None:
    assert list(found(text)) == [term]


@pytest.mark.parametrize(
    "text",
    [
        "# Pod\n\nThis is a group of containers that run together.\n",
        "# Pods\n\nContainers are a thing that people often run in pods.\n",
        "# Steps\n\n**Note**: it is a good idea to save the file first.\n",
        "# Rust\n\nヒープに値を置くことは、あまりありません。\n",
        "# Rust\n\n変数を使うこととは、値に名前を付けることです。\n",
        "# Rust\n\nそれとは、値に名前を付けることです。\n",
        "# 利点\n\n利点は、プログラムを速く書くのに有用です。\n",
        "# 名前\n\nネーミングはわかりやすくする。\n",
    ],
)
def test_a_sentence_defines_nothing(text: str) -> None:
    assert found(text) == {}


def test_beside_code_only_glossaries_define() -> None:
    page = {"docs/pod.md": "# Pod\n\nA pod is a group of containers.\n"}
    assert terms_of(analyse({**SHOP, **page})) == []
