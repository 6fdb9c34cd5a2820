"""What a list says of a document can be read without the document."""

from __future__ import annotations

from tests.wiki.written import write

SIMPLE = "# Bills\n\nHow bills are kept in the shop, and who looks after them.\n"
LEANING = """\
# Appending

We can put one list behind another list like so:

This is not simple. Adding a comma behind the last article does not do it either.

The plus sign of the language puts one list of articles behind another one.
"""


def test_a_sentence_that_leans_on_the_one_before_it_does_not_stand_for_a_document() -> (
    None
):
    tree = {
        "README.md": "# Notes\n\nWhat the shop has learnt about lists and bills.\n",
        "lists/append.md": LEANING,
        "lists/other.md": SIMPLE.replace("Bills", "Orders"),
        "lists/third.md": SIMPLE.replace("Bills", "Stock"),
        "bills/bills.md": SIMPLE,
    }
    pages = "\n".join(draft.markdown for draft in write(tree).values())
    assert "**Appending**: The plus sign of the language puts" in pages
