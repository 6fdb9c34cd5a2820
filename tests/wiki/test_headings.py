"""Headings of English documents on Japanese pages, and those that need their parent."""

from __future__ import annotations

import re

import pytest

from devrag.wiki.wording.japanese.headings import translate_heading
from tests.wiki.written import write

GUIDE = """\
# Basket completions

The basket completes the names of what was bought, so that people type less of them.

## Shell completions

The basket writes a script that completes names of articles in the shell of a customer.

### Limitations

The script of the basket does not complete names that have a blank within them.
"""


@pytest.mark.parametrize(
    ("english", "japanese"),
    [
        ("Overview", "概要"),
        ("Defining your own help", "ヘルプの定義"),
        ("Descriptions for completions", "補完の説明"),
        ("Exception Handling and Exit Codes", "例外処理と終了コード"),
        ("Required flags", "必須フラグ"),
        ("Positional and Custom Arguments", "位置引数とカスタム引数"),
        ("Assign flags to a command", "コマンドへのフラグの割り当て"),
        ("Customize the HTTP client", "HTTP クライアントのカスタマイズ"),
        ("3. Examples", "3. サンプル"),
    ],
)
def test_a_heading_of_known_words_is_japanese(english: str, japanese: str) -> None:
    assert translate_heading(english) == japanese


@pytest.mark.parametrize(
    "english", ["Why No Auto Correction?", "Persian flags", "CVE", "tags"]
)
def test_a_heading_with_an_unknown_word_stays_as_it_is(english: str) -> None:
    assert translate_heading(english) == english


def test_a_heading_that_says_nothing_alone_has_its_parent() -> None:
    code = '"""Completes names."""\n\n\ndef complete(name: str) -> str:\n'
    code += '    """Complete the name of an article."""\n    return name\n'
    tree = {
        "README.md": "# Shop\n\nA shop for everything that people buy and sell.\n",
        "docs/guide.md": GUIDE,
        "src/completions.py": code,
        "src/basket.py": "from src.completions import complete\n\nN = complete('')\n",
    }
    pages = "\n".join(d.markdown for d in write(tree, language="ja").values())
    heads = re.findall(r"^#+ (.*制限事項)$", pages, re.MULTILINE)
    assert heads
    shown = re.findall(r"^#+ (.*)$", pages, re.MULTILINE)
    assert all("›" in head or "シェル補完" in shown for head in heads)


def test_an_english_heading_of_a_japanese_document_is_a_name() -> None:
    text = (
        "# 定義の規約\n\n店の定義の書き方です。\n\n## Servers\n\n一つだけ書くこと。\n\n"
    )
    text += "## 名前\n\n名前は必ず英語で書くこと。\n"
    tree = {"README.md": "# 規約集\n\n店の規約です。\n", "guide.md": text}
    for name in ("stock", "orders", "bills"):
        tree[f"{name}/{name}.md"] = f"# {name}\n\n店の{name}の扱い方を説明します。\n"
    pages = "\n".join(d.markdown for d in write(tree, language="ja").values())
    assert "### Servers" in pages
    assert "サーバー" not in pages
