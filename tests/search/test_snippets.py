"""What of a hit is shown, and what is said of all of them."""

from __future__ import annotations

import datetime

import pytest

from devrag.search.snippets import Strategy, extract
from devrag.search.summary import summarize
from devrag.search.types import Hit
from tests.search.hits import make_hit

MEMO = """# Log

* Bought tea 2024-01-15
  Tags: shop

  Green tea.

* Fixed the kettle 2024-02-01

  It boils.
"""
TEA = "* Bought tea 2024-01-15\n  Tags: shop\n\n  Green tea."
KETTLE = "* Fixed the kettle 2024-02-01\n\n  It boils."


@pytest.mark.parametrize(
    ("text", "strategy", "shown"),
    [
        ("a" * 151, "snippet", "a" * 150),
        ("茶" * 151, "snippet", "茶" * 150),
        ("short", "snippet", "short"),
        ("茶" * 5_001, "full", "茶" * 5_000),
        ("茶" * 5_001, "entry", "茶" * 5_000),
        (MEMO, "entry", TEA),
    ],
)
def test_a_strategy_shows_its_part(text: str, strategy: Strategy, shown: str) -> None:
    assert extract(text, strategy) == shown


def test_a_full_text_is_cut_where_asked() -> None:
    assert extract("abcdef", "full", max_characters=3) == "abc"


@pytest.mark.parametrize(
    ("terms", "entry"), [(["Boils"], KETTLE), (["green"], TEA), (["coffee"], TEA)]
)
def test_the_entry_that_was_meant_is_shown(terms: list[str], entry: str) -> None:
    assert extract(MEMO, "entry", terms=terms) == entry


def _hit(path: str, text: str, date: str = "", tags: tuple[str, ...] = ()) -> Hit:
    day = datetime.date.fromisoformat(date) if date else None
    return make_hit(path=path, text=text, kind="entry", date=day, tags=tags)


@pytest.mark.parametrize(
    ("hits", "said"),
    [
        ([], "No results."),
        ([_hit("a.md", "茶茶")], "1 result, 1 file of 1 source, 2 characters."),
        (
            [
                _hit("a.md", "tea", "2024-02-01", ("shop", "tea")),
                _hit("b.md", "kettle", "2024-01-15", ("tea",)),
            ],
            (
                "2 results, 2 files of 1 source, 9 characters, "
                "dated 2024-01-15 to 2024-02-01, tags: tea (2) shop (1)."
            ),
        ),
    ],
)
def test_a_summary_counts(hits: list[Hit], said: str) -> None:
    assert summarize(hits) == said
