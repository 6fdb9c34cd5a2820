"""What a model reads of a product before it designs the pages."""

from __future__ import annotations

import re

import pytest

from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.writing.outline.digest import digest_of
from tests.wiki.shop import SHOP, analyse

STEERING = "pages:\n  - title: Taking orders\n    paths: [shop/orders/]\n"
STEERED = {**SHOP, ".devrag/wiki.yaml": STEERING}


def test_code_is_numbered_with_names_and_sizes() -> None:
    digest = digest_of(analyse(SHOP), 128_000)
    lines = digest.text.split("\n")
    number = next(
        n for n, e in enumerate(digest.entries, 1) if e.files[0].path.endswith("cli.py")
    )
    assert any(re.match(rf"  {number} shop/cli.py \(\d+\): main$", x) for x in lines)
    assert "README begins:\nShop sells books over the web." in digest.text
    assert "Entry points, with their file: entry point shop" in digest.text


def test_documentation_is_numbered_with_its_headings() -> None:
    digest = digest_of(analyse(SHOP), 128_000)
    for number, section in enumerate(digest.documents, 1):
        assert re.search(rf"D{number} \S+: .*{section.title}, ", digest.text)


def test_what_people_named_is_marked() -> None:
    digest = digest_of(analyse(STEERED), 128_000)
    assert re.search("“Taking orders” .*FIXED", digest.text)


@pytest.mark.parametrize("window", [32_768, 128_000])
def test_a_large_product_is_told_in_bounds_and_no_file_is_lost(window: int) -> None:
    tree = {
        f"app/area{n % 40}/part{n}.py": f"from app.area0.part0 import work_0\n\n\n"
        f"def work_{n}():\n    return {n}\n"
        for n in range(1200)
    }
    analysis = analyse(tree)
    digest = digest_of(analysis, window)
    assert estimate_tokens(digest.text) <= min(24_000, 0.45 * window)
    assert len(digest.entries) <= 500
    assert sum(len(entry.files) for entry in digest.entries) == 1200
