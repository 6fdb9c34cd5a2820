"""The Japanese wiki of the same facts: same pages, same lines, other words."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from devrag.wiki.checking.validators import check_pages
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.evidence.blocks import split_blocks
from devrag.wiki.reuse.fingerprint import have_sizes_moved
from devrag.wiki.writing.model.language import is_in_language
from tests.wiki.shop import SHOP
from tests.wiki.written import write

Pages = dict[str, DraftedPage]
# A shop whose own words are Japanese, of two sources, with a page that people named.
OURS = {
    path: re.sub(r'"""[^"]+"""', '"""注文と在庫を扱う処理です。"""', text)
    for path, text in SHOP.items()
} | {
    ".devrag/wiki.yaml": "pages:\n  - title: 注文の処理\n    paths: [shop/orders/]\n",
    "README.md": "# 店\n\nこの店は本をインターネットで販売しています。\n",
    "docs/guide.md": "# 手引き\n\nこの手引きでは最初の注文の流れを説明します。\n",
    "Makefile": "test: ## すべてのテストを実行します\n\tpytest\n",
}
SCREENS = '"""店の画面を表示し、利用者の操作を注文の処理に渡します。"""\n'
WEB = {"web/__init__.py": SCREENS + "x = 1\n" * 70}


@pytest.fixture(scope="module")
def english() -> Pages:
    return write(OURS, WEB)


@pytest.fixture(scope="module")
def japanese() -> Pages:
    return write(OURS, WEB, language="ja")


def prose(page: DraftedPage) -> Iterator[str]:
    for block in split_blocks(page.markdown):
        if block.is_prose or block.kind == "heading":
            yield block.text


def test_both_have_the_same_pages_under_ascii_names(
    english: Pages, japanese: Pages
) -> None:
    assert list(japanese) == list(english)
    assert all(path.isascii() for path in japanese)
    assert [p.files for p in japanese.values()] == [p.files for p in english.values()]


def test_both_cite_the_same_lines(english: Pages, japanese: Pages) -> None:
    def cited(page: DraftedPage) -> set[tuple[str, str, int, int]]:
        return {(c.source, c.path, c.start_line, c.end_line) for c in page.claims}

    for path, page in english.items():
        assert cited(japanese[path]) == cited(page), path


def test_both_name_the_same_code(english: Pages, japanese: Pages) -> None:
    def names(page: DraftedPage) -> set[str]:
        return set(re.findall(r"`[^`\n]+`", page.markdown))

    for path, page in english.items():
        assert names(japanese[path]) == names(page), path


def test_no_gate_cuts_anything(japanese: Pages) -> None:
    pages = {path: draft.markdown for path, draft in japanese.items()}
    kept, findings = check_pages(pages, japanese)
    assert [f for draft in japanese.values() for f in draft.findings] + findings == []
    assert kept == pages


def test_titles_and_sentences_are_japanese(japanese: Pages) -> None:
    # Titles of topics are the names that the code has for them.
    names = {page.title for page in japanese.values() if page.kind == "feature"}
    for path, page in japanese.items():
        assert is_in_language(page.markdown, "ja"), path
        english = [
            text
            for text in prose(page)
            if re.search(r"[A-Za-z]{3} [a-z]", text) and text not in names
        ]
        assert [t for t in english if "`" not in t and "](" not in t] == [], path
        assert is_in_language(page.summary, "ja", fewest=1), path
    assert japanese["architecture.md"].title == "アーキテクチャ"


def test_labels_in_japanese_pass_the_real_parser(japanese: Pages) -> None:
    text = japanese["architecture.md"].markdown
    assert '["注文の処理"]' in text
    assert "A から B への矢印は、A が B を使うことを表します。" in text


def test_sentences_follow_each_other_without_a_blank(japanese: Pages) -> None:
    assert not [p for p, d in japanese.items() if re.search(r"。 (?![|`])", d.markdown)]


def test_names_are_followed_by_a_japanese_colon(japanese: Pages) -> None:
    lines = [line for page in japanese.values() for line in page.markdown.split("\n")]
    assert not [line for line in lines if re.match(r"- (\*\*|\[).*\*\*?: ", line)]
    assert any(re.match(r"- \*\*.*\*\*：", line) for line in lines)


def test_what_the_code_says_in_english_is_no_part_of_a_japanese_sentence() -> None:
    source = "".join(
        f'def {name}(order):\n    """{said}"""\n    return order\n\n\n'
        for name, said in (("pack", "Pack the order."), ("send", "注文を発送する。"))
    )
    tree = {"shop/parcels.py": source + "x = 1\n" * 80}
    text = write(tree, language="ja")["index.md"].markdown
    assert "`send()`（注文を発送する）" in text
    assert "`pack()` (" not in text
    assert "`pack()`（" not in text


def test_a_grown_count_of_lines_is_seen_in_japanese() -> None:
    assert have_sizes_moved("コード 217 行です。", "コード 317 行です。")
    assert not have_sizes_moved("コード1,217行です。", "コード1,218行です。")
