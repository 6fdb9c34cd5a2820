"""What a document denies is not quoted from it."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.contradicted import is_denied

WHY = """Shop implements its own parsing of orders and does not use `orderlib` or
`basket` for that. It depends on `till`.
"""


@pytest.mark.parametrize(
    ("sentence", "is_wrong"),
    [
        ("Shop is internally based on `orderlib`.", True),
        ("Shop uses `basket` to pack.", True),
        ("Shop is not based on `orderlib`, which is slow.", False),
        ("It depends on `till`.", False),
        ("`orderlib` is a library of others.", False),
    ],
)
def test_a_sentence_is_denied(sentence: str, is_wrong: bool) -> None:
    assert is_denied(sentence, f"{sentence}\n\n{WHY}") is is_wrong
