"""What a model is asked when it designs the pages of a wiki."""

from __future__ import annotations

import pytest

from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.outline.design import outline_request
from tests.tiers import mostly_slow_rows
from tests.wiki.shop import SHOP, analyse

LARGE = {f"app/area{n % 40}/part{n}.py": "x = 1\n" * 400 for n in range(300)}


@pytest.mark.parametrize(
    ("tree", "language", "window", "tokens"),
    mostly_slow_rows(
        [
            (SHOP, "en", 128_000, 8_000),
            (LARGE, "en", 128_000, 37 * 280),
            (LARGE, "ja", 128_000, 37 * 560),
            (LARGE, "ja", 64_000, 16_000),
        ]
    ),
)
def test_the_answer_is_as_long_as_the_pages_need(
    tree: dict[str, str], language: str, window: int, tokens: int
) -> None:
    fixed = ("Shop", "Architecture", "Testing")
    brief = Brief("Shop", language=language)
    request = outline_request(analyse(tree), fixed, "Architecture", brief, window)
    assert request.answer_tokens == tokens
