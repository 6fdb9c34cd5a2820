"""A Japanese wiki tells facts in Japanese before the English words of its sources."""

from __future__ import annotations

import re

import pytest

from devrag.wiki.wording.japanese.quotations import NOTE
from tests.wiki.written import write

FILLER = "# filler\n" * 40
TREE = {
    "README.md": "# Shop\n\nShop sells books over the web.\n",
    "shop/stock/__init__.py": "",
    "shop/stock/shelf.py": '"""Shelves."""\n\n\nclass Shelf:\n'
    '    """A shelf is a place that keeps books."""\n\n'
    + "".join(
        f"    def {name}(self, book):\n        return book\n\n"
        for name in ("put", "take", "count")
    )
    + FILLER,
    "shop/stock/checks.py": '"""Checks."""\n\nfrom shop.stock.shelf import Shelf\n\n\n'
    + "".join(
        f"def check_{name}(book) -> Shelf:\n    return Shelf().{name}(book)\n\n\n"
        for name in ("put", "take", "count")
    )
    + FILLER,
    "shop/orders/__init__.py": "",
    "shop/orders/basket.py": '"""Baskets of customers."""\n\n'
    "from shop.stock.shelf import Shelf\n\n\n"
    "class Basket:\n"
    '    """A basket is what a customer carries."""\n\n'
    "    def add(self, book):\n        return Shelf().take(book)\n\n" + FILLER,
}


def _written(language: str) -> dict[str, str]:
    drafts = write(TREE, language=language)
    assert [d.findings for d in drafts.values() if d.findings] == []
    return {path: draft.markdown for path, draft in drafts.items()}


@pytest.fixture(scope="module")
def japanese() -> dict[str, str]:
    return _written("ja")


def test_a_page_begins_with_what_its_code_defines(japanese: dict[str, str]) -> None:
    (page,) = (t for path, t in japanese.items() if path.startswith("features/shelf"))
    opening = page.split("\n\n")[1]
    bare = re.sub(r"\s?\[\d+\]\(cite:\d+\)", "", opening)
    assert "1 個の型、3 個の関数、3 個のメソッドが定義されています。" in bare
    assert "メソッドが最も多い型は `Shelf`（3 個）です。" in bare
    assert "名前が「check」で始まる 3 個の関数があります（`check_" in bare
    assert "`Shelf` を返す 3 個の関数があります（" in bare
    assert re.search(r"\) から使われています。", bare)
    assert "](cite:" in opening


def test_the_words_of_the_sources_stand_behind_the_facts(
    japanese: dict[str, str],
) -> None:
    for path, page in japanese.items():
        if path.startswith("features/"):
            assert not page.split("\n\n")[1].startswith(NOTE)
            assert "定義されています" in page.split("\n\n")[1]


def test_the_front_page_says_of_topics_what_they_define(
    japanese: dict[str, str],
) -> None:
    items = re.findall(r"^- \*\*\[.*features/.*$", japanese["index.md"], re.MULTILINE)
    assert items
    assert all("が定義されています" in item for item in items)


def test_an_english_wiki_begins_with_the_words_of_its_sources() -> None:
    pages = _written("en")
    assert not [page for page in pages.values() if "The code in" in page]
