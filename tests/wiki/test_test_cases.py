"""The names of test cases are told as words."""

from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file
from devrag.wiki.analysis.test_cases import cases_of
from tests.wiki.shop import analyse


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        (
            "test_a.py",
            (
                "def test_an_order_reserves_its_books(): ...\ndef test_it(): ...\n"
                "def helper_for_all_the_tests(): ...\n"
            ),
            ["an order reserves its books"],
        ),
        (
            "ATest.java",
            (
                "class ATest {\n  @Test\n  public void anOrderReservesBooks() {}\n"
                "  public void aHelperForAllTests() {}\n}\n"
            ),
            ["an order reserves books"],
        ),
        (
            "a_test.go",
            (
                "package a\n\nfunc TestOrders(t *testing.T) {\n"
                '\tt.Run("an order reserves its books", nil)\n}\n'
            ),
            ["an order reserves its books"],
        ),
        (
            "a.test.ts",
            "it('should reserve the books of an order', () => {})\nit('works', f)\n",
            ["should reserve the books of an order"],
        ),
    ],
)
def test_cases_that_tell_something(path: str, text: str, words: list[str]) -> None:
    analysis = analyse({path: text})
    found = cases_of(
        parse_file(path, text).language, analysis.survey.symbols, text.split("\n")
    )
    assert [case.words for case in found] == words
