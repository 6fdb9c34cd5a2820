"""Wiki settings of any shape are told apart, never raised over."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.core.errors import InvalidInput
from devrag.products.wiki_problems import wiki_setting_problems
from devrag.products.wiki_settings import read_wiki_setting, readable_languages


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ({"language": "ja", "notes": "", "glossary": {"a": "b"}}, ""),
        ({"colour": 1}, "Unknown wiki setting 'colour'"),
        ({"notes": ["a"]}, "'notes' must be a text"),
        ({"notes": "x" * 9_000}, "'notes' must be a text"),
        ({"language": "xx"}, "Unknown wiki language 'xx'"),
        ({"language": "en,ja"}, ""),
        ({"language": "ja,ja"}, "Unknown wiki language 'ja,ja'"),
        ({"glossary": "a"}, "'glossary' must map"),
    ],
)
def test_problems_are_said(held: dict[str, Any], said: str) -> None:
    problems = list(wiki_setting_problems(held))
    assert len(problems) == bool(said)
    assert all(said in problem for problem in problems)


def test_a_glossary_is_written_as_words_and_forms() -> None:
    written = "glossary=cart: Basket; order:注文;"
    assert read_wiki_setting(written) == (
        "glossary",
        {"cart": "Basket", "order": "注文"},
    )
    with pytest.raises(InvalidInput, match="Invalid glossary entry 'cart'"):
        read_wiki_setting("glossary=cart")


@pytest.mark.parametrize(
    ("wanted", "written", "read"),
    [
        ("ja,en", ["en", "ja"], ("ja", "en")),
        ("ja", ["en", "ja"], ("ja",)),
        ("ja", ["en"], ("en",)),
        ("fr", ["ja", "en"], ("en",)),
        ("en", ["ja"], ("ja",)),
        ("en", [], ()),
    ],
)
def test_the_main_language_is_read_first_and_others_if_wanted(
    wanted: str, written: list[str], read: tuple[str, ...]
) -> None:
    assert readable_languages({"language": wanted}, written) == read
