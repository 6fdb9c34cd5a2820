"""What a path says about a file."""

from __future__ import annotations

import pytest

from devrag.parsing.path_roles import is_aside, is_test, name_words


@pytest.mark.parametrize(
    "path",
    [
        *("tests/a.py", "src/test/java/A.java", "a/testing/b.go", "pkg/testdata/x"),
        *("spec/a.rb", "src/__tests__/a.js", "e2e/a.ts", "shop-tests/a.c"),
        *("shop_test/a.c", "src/test_cart.py", "conftest.py", "cart_test.go"),
        *("cart_spec.rb", "cart.test.ts", "cart.spec.jsx", "cart-test.mjs"),
        *("cart.bats", "src/CartTest.java", "CartTests.cs"),
    ],
)
def test_tests_are_known_by_folder_or_name(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize(
    "path",
    [
        *("src/latest/a.py", "contest/a.py", "src/testable.py", "attest.go"),
        *("src/tester.py", "src/Latest.java", "Test.java", "inspec/a.rb"),
    ],
)
def test_test_within_a_word_says_nothing(path: str) -> None:
    assert not is_test(path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        *(("examples/a.py", True), ("docs/sample/a.c", True), ("vendor/x/y.go", True)),
        *(("app/migrations/1.py", True), ("legacy/a.c", True)),
        *(("src/examples.py", False), ("counterexamples/a.py", False)),
    ],
)
def test_folders_aside(path: str, expected: bool) -> None:
    assert is_aside(path) == expected


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("src/HttpClient_pool.test.ts", ["http", "client", "pool"]),
        ("HTTPServer.java", ["http", "server"]),
        ("a/.eslintrc.json", ["eslintrc"]),
        ("utf8-decoder.c", ["utf", "8", "decoder"]),
        ("docs/税率.md", ["税率"]),
        ("__init__.py", ["init"]),
        ("src/", []),
        ("", []),
    ],
)
def test_words_of_a_file_name(path: str, words: list[str]) -> None:
    assert name_words(path) == words
