"""Sections of wikis: found by `kind:wiki` alone, as readers see them."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.core.errors import NotFound
from devrag.core.principal import ANONYMOUS, SYSTEM
from devrag.products.models import Product
from devrag.search.service import search
from devrag.search.types import SearchQuery, SearchResult
from devrag.search.wiki_sections.retriever import weigh_sections
from devrag.search.wiki_sections.store import (
    SectionText,
    WikiEdition,
    replace_wiki_sections,
)

pytestmark = pytest.mark.django_db


def section(heading: str, text: str, *, path: str = "index.md", level: int = 2) -> Any:
    anchor = heading.lower().replace(" ", "-")
    return SectionText(path, "Shop", level, heading, anchor, 3, 9, text)


SECTIONS = (
    section("Taxes", "The till adds what the state asks for to each getTotalPrice()."),
    section("Orders", "An order is kept until the books are there. Orders wait."),
    section("Stock", "Books are counted. Taxes are not.", path="features/stock.md"),
)
JAPANESE = (section("在庫", "本の数を数えて、サーバーに保存する。"),)


@pytest.fixture(autouse=True)
def shop(db: None, settings: Any, tmp_path: Any) -> Product:
    settings.LEXICAL_DIR = tmp_path / "lexical"
    made = Product.objects.create(name="shop", wiki_settings={"language": "en,ja"})
    replace_wiki_sections(WikiEdition(made.pk, "en", 1, 4), SECTIONS)
    replace_wiki_sections(WikiEdition(made.pk, "ja", 2, 1), JAPANESE)
    return made


def ask(text: str, **fields: Any) -> SearchResult:
    fields = {"principal": SYSTEM, "kind": "wiki"} | fields
    return search(SearchQuery(text, **fields))


def headings(text: str, **fields: Any) -> list[str]:
    return [hit.heading for hit in ask(text, **fields).hits]


def test_a_hit_leads_to_a_heading_of_a_page() -> None:
    [hit] = ask("who counts the stock").hits
    assert (hit.product_name, hit.path, hit.anchor) == (
        *("shop", "features/stock.md"),
        "stock",
    )
    assert (hit.kind, hit.version_identifier, hit.source_name) == ("wiki", "4", "")


def test_only_the_kind_wiki_finds_it() -> None:
    assert headings("till kind:wiki", kind="") == ["Taxes"]
    for kind in ("", "doc", "section"):
        assert headings("till", kind=kind) == []


def test_a_heading_counts_more_than_a_word_in_the_text() -> None:
    assert headings("taxes") == ["Taxes", "Stock"]


def test_words_are_found_in_their_other_forms_and_parts() -> None:
    assert headings("counting") == ["Stock"]
    assert headings("total price") == ["Taxes"]


def test_japanese_is_analysed_as_in_the_index() -> None:
    [hit] = ask("サーバ 数える").hits
    assert (hit.heading, hit.path) == ("在庫", "ja/index.md")
    assert hit.matched_terms == ("サーバー", "数え")


def test_words_in_quotes_stand_side_by_side() -> None:
    assert headings('"state asks"') == ["Taxes"]
    assert headings('"asks state"') == []


def test_the_last_word_may_be_a_beginning_while_one_types() -> None:
    assert headings("get ord", is_typing=True) == ["Taxes", "Orders"]
    assert headings("get ord") == ["Taxes"]


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"path_prefix": "features/"}, ["Stock"]),
        ({"without_paths": ("features/",)}, ["Orders"]),
        ({"pattern": "features/*.md"}, ["Stock"]),
        ({"depths": (3,)}, []),
        ({"language": "python"}, []),
        ({"language": "markdown", "limit": 1}, ["Stock"]),
        ({"product": "shop", "limit": 1}, ["Stock"]),
    ],
)
def test_filters_are_of_pages(fields: dict[str, Any], found: list[str]) -> None:
    assert headings("books", **fields) == found


def test_a_pattern_of_lines_finds_nothing_and_says_why() -> None:
    result = ask('exact:"till"')
    assert result.hits == ()
    assert result.notes == ("exact: and /regex/ search files only, not wiki pages.",)


def test_asked_by_meaning_it_says_that_words_count() -> None:
    result = ask("till", mode="semantic")
    assert [hit.heading for hit in result.hits] == ["Taxes"]
    assert result.notes == ("Wiki pages are searched by keyword only.",)


def test_a_wiki_that_the_caller_may_not_read_is_not_there(shop: Product) -> None:
    shop.visibility = "members"
    shop.save()
    assert headings("till", principal=ANONYMOUS) == []
    with pytest.raises(NotFound):
        ask("till", principal=ANONYMOUS, product="shop")


def test_a_language_that_is_no_longer_wanted_is_not_found(shop: Product) -> None:
    shop.wiki_settings = {"language": "en"}
    shop.save()
    assert headings("数える") == []


def test_a_wiki_of_a_deleted_product_is_gone(shop: Product) -> None:
    shop.delete()
    assert headings("till") == []


def test_rare_terms_weigh_more_than_common_ones() -> None:
    ranks = {1: [0.2, 0.0, 0.0, 0.0], 2: [0.0, 0.0, 0.2, 0.0], 3: [0.0, 0.0, 0.2, 0.0]}
    weights = weigh_sections(ranks, total=10)
    assert weights[1] > weights[2] == weights[3] > 0


def test_another_form_weighs_less_than_the_word() -> None:
    weights = weigh_sections({1: [0.2, 0.0], 2: [0.0, 0.2]}, total=10)
    assert weights[1] > weights[2] > 0
