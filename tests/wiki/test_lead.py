"""An opening names what its sentences are about, and the index has it, too."""

from __future__ import annotations

from tests.wiki.shop import SHOP
from tests.wiki.written import write

FILLER = "# filler\n" * 90
MIXED = {
    ".devrag/wiki.yaml": "pages:\n  - title: Screens\n    paths: [web/]\n",
    "web/others.py": "OTHERS = 1\n" + FILLER,
    "web/screens.py": "class Codes:\n"
    '    """The answers that a server of the shop can give."""\n' + FILLER,
}
SAMPLE = {
    "web/address.py": 'class Address:\n    """\n    address = web.Address("here")\n'
    '    """\n\n    def join(self):\n        """Join an address with a path."""\n'
    + FILLER,
    "docs/address.md": "# Address\n\nAn address of a page of the shop, normalised. "
    + "The `Address` is declared in `web/address.py` for all pages. " * 5,
}


def test_a_sentence_on_one_of_several_names_it() -> None:
    text = write({**SHOP, **MIXED})["features/screens.md"].markdown
    assert "`Codes` (the answers that a server of the shop can give)" in text


def test_a_sample_is_no_reason_to_read_a_type() -> None:
    assert "web.Address(" not in write({**SHOP, **SAMPLE})["index.md"].markdown


def test_a_paragraph_that_leans_on_code_is_not_on_the_front_page() -> None:
    readme = "# Shop\n\nShop sells books over the web.\n\n```\nshop\n```\n\n"
    readme += "Or, using the program of the shop.\n"
    text = write({**SHOP, "README.md": readme})["index.md"].markdown
    assert "Shop sells books" in text
    assert "Or, using" not in text
