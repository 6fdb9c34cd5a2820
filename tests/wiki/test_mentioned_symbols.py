"""A text leads to the definitions that it names."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.documents import read_sections
from devrag.wiki.analysis.mentioned_symbols import mentioned_symbols
from tests.wiki.shop import SHOP, analyse, file_named

CODE = {
    **SHOP,
    "shop/book.py": "class OrderBook:\n    def put_aside(self): ...\n"
    "    def get(self): ...\n\n\ndef bill(): ...\n\n\nclass _Hidden: ...\n"
    + "# filler\n"
    * 60,
}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Orders stand in an `OrderBook` until they are paid.", ["OrderBook"]),
        ("Orders stand in an OrderBook until they are paid.", ["OrderBook"]),
        ("Use `put_aside` of it.", ["OrderBook.put_aside"]),
        ("Use `OrderBook.get` of it.", ["OrderBook", "OrderBook.get"]),
        ("You get what you order, and the bill.", []),
        ("Use `get` for that.", []),
        ("The `_Hidden` one is of no use.", []),
        ("```python\nbill()\n```", ["bill"]),
    ],
)
def test_names_in_a_text(text: str, names: list[str]) -> None:
    analysis = analyse(CODE)
    (section,) = read_sections(text)
    topic = analysis.topic_of[file_named(analysis, "shop/book.py").id]
    found = mentioned_symbols(analysis, section.blocks, topic)
    assert [s.qualified_name for s in found] == names
