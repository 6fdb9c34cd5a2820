"""What readers see of a wiki is what `kind:wiki` finds."""

from __future__ import annotations

import pytest

from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.search.api import search
from devrag.search.models import WikiSection
from devrag.search.types import Hit, SearchQuery
from devrag.wiki.publishing.history import show_version
from devrag.wiki.publishing.search_index import (
    index_unindexed_versions,
    unindexed_versions,
)
from tests.conftest import Stand
from tests.standing import Standing
from tests.wiki.runs import write_versions
from tests.wiki.shop import CHANGED, SHOP


@pytest.fixture(scope="module")
def standing_wiki(stand: Stand) -> Standing[None]:
    return stand(lambda _: write_versions(SHOP, CHANGED))


def ask(text: str, kind: str = "wiki") -> tuple[Hit, ...]:
    return search(SearchQuery(text, SYSTEM, kind=kind, mode="keyword")).hits


def test_a_published_page_is_found_at_its_heading(written: Product) -> None:
    hit = ask("how to install")[0]
    assert (hit.path, hit.version_identifier) == ("build-and-run.md", "2")
    [page] = written.wikis.get().current.pages.filter(path=hit.path)
    line = page.markdown.split("\n")[hit.start_line - 1]
    assert line.lstrip("# ") == hit.heading


def test_citations_are_no_part_of_what_is_found(written: Product) -> None:
    assert WikiSection.objects.exists()
    assert not WikiSection.objects.filter(text__contains="cite:").exists()


def test_after_a_rollback_the_pages_of_that_version_are_found(
    written: Product,
) -> None:
    show_version(principal=SYSTEM, product=written, number=1)
    assert {hit.version_identifier for hit in ask("order")} == {"1"}
    assert unindexed_versions() == []


def test_a_wiki_of_an_older_release_is_indexed_once(written: Product) -> None:
    WikiSection.objects.update(analyser_version=0)
    assert [each.number for each in unindexed_versions()] == [2]
    assert sum(index_unindexed_versions()) == 1
    assert unindexed_versions() == []
    assert ask("order")
