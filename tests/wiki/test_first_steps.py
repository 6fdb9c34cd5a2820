"""How the overview says to begin: install the product by its name, then use it."""

from __future__ import annotations

from tests.wiki.shop import SHOP
from tests.wiki.written import write

USE = "from till import Basket\n\nBasket().pay()\n"
INTRODUCTION = "# Till\n\nA till for small shops.\n"
README = f"{INTRODUCTION}\n## A first sale\n\n```python\n{USE}```\n"
QUICKSTART = "# Quickstart\n\n## Install\n\n```console\npip install till\n```\n"
TESTING = (
    "# Testing\n\n## Running tests in parallel\n\n"
    "```{warning}\nDo not run the tests with threads.\n```\n\n"
    "```\npip install pytest-xdist\n```\n"
)
TREE = {
    **SHOP,
    "pyproject.toml": '[project]\nname = "till"\nrequires-python = ">=3.11"\n',
    "README.md": README,
    "docs/quickstart.md": QUICKSTART,
    "docs/testing.md": TESTING,
}


def start_of(tree: dict[str, str]) -> str:
    page = write(tree)["index.md"]
    assert page.findings == ()
    return page.markdown.partition("## Getting started")[2].partition("\n## ")[0]


def test_the_product_is_installed_by_its_name_and_then_used() -> None:
    start = start_of(TREE)
    assert "pip install till" in start
    assert "Basket().pay()" in start
    assert start.index("pip install till") < start.index("Basket().pay()")
    assert "threads" not in start
    assert "xdist" not in start


def test_no_document_that_installs_something_else_says_how_to_begin() -> None:
    tree = {**TREE, "README.md": INTRODUCTION}
    del tree["docs/quickstart.md"]
    assert start_of(tree) == ""


def test_the_session_below_a_first_use_is_shown_with_it() -> None:
    run = "\n```\n$ python sale.py\nPaid: 3\n```\n"
    assert "$ python sale.py" in start_of({**TREE, "README.md": README + run})


def test_required_versions_are_told_in_words() -> None:
    page = write(TREE)["build-and-run.md"]
    assert "Requires Python 3.11 or later (`pyproject.toml`" in page.markdown
