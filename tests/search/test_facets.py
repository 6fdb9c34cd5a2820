"""What all matches have, counted over a real index."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from devrag.core.errors import InvalidInput
from devrag.core.principal import ANONYMOUS, SYSTEM
from devrag.search.facets import count_facets
from devrag.search.service import search
from devrag.search.types import Hit, SearchQuery
from devrag.sources.models import Source
from tests.conftest import Repository

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def more_files() -> dict[str, str | bytes | None]:
    return {
        "web/cart/page.ts": "export function showTotal() { return 'the total' }\n",
        "web/cart/list.ts": "export function listTotals() { return 'every total' }\n",
        "web/sum.py": "def add():\n    return 'the total'\n",
        "web/start.ts": "export function start() { return 'no sum, the total' }\n",
        "a b+c/total.py": "def total():\n    return 1\n",
    }


def ask(text: str = "total", **options: Any) -> SearchQuery:
    return SearchQuery(text=text, principal=SYSTEM, mode="keyword", limit=50, **options)


def counts(query: SearchQuery, facet: str) -> dict[str, int]:
    found = count_facets(query).get(facet, ())
    return {each.value: each.count for each in found}


def folder_of(hit: Hit) -> str:
    return hit.path.partition("/")[0] + "/" if "/" in hit.path else ""


@pytest.mark.usefixtures("indexed")
def test_numbers_are_those_of_all_matches() -> None:
    hits = search(ask()).hits
    by_language = Counter(hit.language for hit in hits if hit.language)
    by_folder = Counter(folder_of(hit) for hit in hits if folder_of(hit))
    assert by_language["typescript"] == 3
    assert counts(ask(), "language") == by_language
    assert counts(ask(), "folder") == by_folder


@pytest.mark.usefixtures("indexed")
def test_the_commonest_value_is_first() -> None:
    values = count_facets(ask())["language"]
    assert [each.count for each in values] == sorted(
        (each.count for each in values), reverse=True
    )


@pytest.mark.usefixtures("indexed")
def test_a_choice_leaves_the_others_to_be_chosen() -> None:
    chosen = ask(language="python")
    hits = search(chosen).hits
    by_folder = Counter(folder_of(hit) for hit in hits if folder_of(hit))
    assert len(by_folder) > 1
    assert counts(chosen, "language") == counts(ask(), "language")
    assert counts(chosen, "folder") == by_folder


@pytest.mark.usefixtures("indexed")
def test_folders_are_those_below_the_path() -> None:
    assert counts(ask(path_prefix="web/"), "folder") == {"web/cart/": 2}
    assert counts(ask(path_prefix="web/cart/"), "folder") == {}
    assert "a b+c/" in counts(ask(path_prefix="a b+"), "folder")


@pytest.mark.usefixtures("indexed")
def test_a_filter_in_the_text_has_no_menu() -> None:
    assert "language" not in count_facets(ask("total lang:typescript"))
    assert "language" in count_facets(ask("total path:web"))


@pytest.mark.usefixtures("indexed")
def test_one_value_is_no_choice() -> None:
    assert "source" not in count_facets(ask())
    assert "folder" not in count_facets(ask(language="typescript"))


@pytest.mark.parametrize(
    "text", ["/tot.l/", 'exact:"total"', "lang:typescript", "zzzqqq"]
)
@pytest.mark.usefixtures("indexed")
def test_what_is_not_found_by_words_has_none(text: str) -> None:
    assert count_facets(ask(text)) == {}


def test_hidden_sources_are_not_counted(indexed: Repository) -> None:
    product = Source.objects.get().product
    product.visibility = "private"
    product.save()
    assert count_facets(SearchQuery(text="total", principal=ANONYMOUS)) == {}


@pytest.mark.usefixtures("indexed")
def test_a_wrong_filter_is_refused_as_by_search() -> None:
    with pytest.raises(InvalidInput):
        count_facets(ask(kind="nonsense"))


@pytest.mark.usefixtures("indexed")
def test_numbers_agree_with_the_total_of_the_same_choice() -> None:
    asked = ask("the total", language="typescript")
    chosen = counts(ask("the total"), "language")["typescript"]
    assert search(asked).total == chosen


@pytest.mark.parametrize(
    ("text", "total", "holds_all"),
    [("every total", 1, True), ("every zebra", 1, False), ("total", 4, True)],
)
@pytest.mark.usefixtures("indexed")
def test_passages_with_all_words_count_else_those_with_some(
    text: str, total: int, *, holds_all: bool
) -> None:
    result = search(ask(text, path_prefix="web/"))
    assert (result.total, result.holds_all) == (total, holds_all)
