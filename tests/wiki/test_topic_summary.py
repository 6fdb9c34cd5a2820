"""A topic that nothing describes is told by its main definitions or files."""

from __future__ import annotations

import re

from tests.wiki.written import write

# A title that no definition or file bears.
STEERING = {
    ".devrag/wiki.yaml": "pages:\n  - title: Counter\n    paths: [src/**]\n",
}
FILLER = "# filler\n" * 60
CORE = (
    'class Basket:\n    """A basket is a list of books that a customer takes."""\n\n'
    "    def add(self, book): ...\n\n\n"
    'def pay(basket):\n    """Pay for all books of a basket."""\n'
    "    return Basket()\n\n\n"
    'def scan(book):\n    """Internal helper to read a code."""\n    return Basket()\n'
)


def opening_of(tree: dict[str, str]) -> str:
    """Return what the page of the topic begins with, without citations."""
    page = write({**tree, **STEERING})["features/counter.md"]
    assert page.findings == ()
    text = page.markdown.partition("\n\n")[2].partition("\n\n")[0]
    return re.sub(r" \[\d+\]\(cite:\d+\)", "", text)


def test_main_definitions_are_told_with_what_they_do() -> None:
    text = opening_of({"src/core.py": CORE + FILLER})
    assert "`Basket` (a list of books that a customer takes)" in text
    assert "`pay()` (pay for all books of a basket)" in text
    assert "scan" not in text


def test_files_that_say_what_they_are_for_come_first() -> None:
    tree = {
        "src/scanner.py": '"""Reading of codes at the counter."""\n\n'
        "from src import printer\n\n\ndef scan(): return printer.print_it()\n" + FILLER,
        "src/printer.py": '"""Printing of receipts for customers."""\n\n'
        "from src import scanner\n\n\ndef print_it(): return scanner.scan()\n" + FILLER,
    }
    text = opening_of(tree)
    assert "`src/scanner.py` (reading of codes at the counter)" in text
    assert "`src/printer.py` (printing of receipts for customers)" in text


def test_a_notice_or_an_address_is_no_purpose() -> None:
    core = CORE.replace(
        "Pay for all books of a basket.", "Reference: https://a.example"
    )
    text = opening_of({"src/core.py": core + FILLER})
    assert "`Basket` (a list of books that a customer takes)" in text
    assert "Reference" not in text


def test_what_says_nothing_is_counted_among_the_definitions() -> None:
    silent = "\n\n".join(
        f"def sell_{n}(book):\n    return Basket()\n" for n in range(5)
    )
    text = opening_of({"src/core.py": CORE + silent + FILLER})
    assert text.startswith("The main definitions of ")
    assert "are `Basket`" in text
