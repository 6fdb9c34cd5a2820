"""Tests that name what they call reach it, whichever module they take it from."""

from __future__ import annotations

from devrag.wiki.analysis.named_in_tests import named_in_tests
from tests.wiki.shop import analyse
from tests.wiki.written import write

APPLICATION = """\
var app = exports = module.exports = {}

/**
 * Render a page of the shop for a customer.
 */
app.render = function render(name) { return name }
"""
BASKET = "function addBook(basket, book) { return basket }\nmodule.exports = addBook\n"
TREE = {
    "lib/application.js": APPLICATION + "// filler\n" * 80,
    "lib/basket.js": BASKET + "// filler\n" * 80,
    "test/basket.js": "var add = require('../lib/basket')\n\n"
    "it('should keep each book that is added', function () { add([], 1) })\n",
    "test/pages.js": "it('should render the page of a book', function () {\n"
    "  app.render('book')\n})\n",
}


def test_the_line_that_names_a_definition_is_found() -> None:
    analysis = analyse(TREE)
    found = [
        (analysis.files[n.test].path, n.line, n.symbol.qualified_name)
        for n in named_in_tests(analysis)
    ]
    assert ("test/pages.js", 2, "app.render") in found


def test_what_tests_name_is_not_called_untested() -> None:
    page = write(TREE)["testing.md"]
    assert page.findings == ()
    assert "## What no test names" not in page.markdown
    assert "`app.render()`" in page.markdown


def test_what_tests_neither_import_nor_name_is_told() -> None:
    tree = {**TREE, "test/pages.js": "it('should be empty for now', function () {})\n"}
    assert "## What no test names" in write(tree)["testing.md"].markdown


def test_names_of_cases_keep_their_words() -> None:
    pages = "\n".join(page.markdown for page in write(TREE).values())
    assert "should keep each book that is added" in pages
