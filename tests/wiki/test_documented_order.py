"""The sections of documents on a topic's page: what is kept for old users is last."""

from __future__ import annotations

from tests.wiki.written import write

TEXT = "A basket holds the books that a customer takes from the shop to the till. "
OLD = "A basket of the shop can also hold the books of a basket of the shop before. "
CODE = (
    'class Basket:\n    """A basket."""\n\n    def take(self, book):\n'
    '        """Take a book."""\n        return book\n'
)
TREE = {
    "basket.py": CODE,
    "docs/a_legacy.md": f"# Legacy basket\n\n{OLD * 3}`Basket` and `Basket.take`.\n",
    "docs/taking.md": f"# Taking books\n\n{TEXT * 3}`Basket` and `Basket.take`.\n",
}


def test_a_section_on_what_is_legacy_comes_last() -> None:
    text = write(TREE)["features/basket.md"].markdown
    assert "### Legacy basket" in text
    assert text.index("### Legacy basket") > text.index("### Taking books")
