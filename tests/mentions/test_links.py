"""Which files give the address or number of a product's pages and tickets."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.mentions.links import find_links
from devrag.products.models import Product
from devrag.sources.models import File
from tests.documents import index_documents
from tests.mentions.test_mentions import CODE, PAGES, index_code

pytestmark = pytest.mark.django_db


@pytest.fixture
def shop(tmp_path: Path) -> Product:
    product = Product.objects.create(name="shop")
    index_code(tmp_path / "code", product, CODE)
    index_documents(tmp_path / "tracker", "shop", PAGES)
    return product


def links(product: Product, *names: str) -> set[tuple[str, str]]:
    """Return (path, path of the document) of these sources."""
    sources = product.sources.filter(name__in=names).values_list("pk", flat=True)
    found = find_links(list(sources))
    paths = dict(File.objects.values_list("pk", "path"))
    return {(paths[file], paths[document]) for file, document in found}


def test_code_comments_and_tickets_lead_to_what_they_mention(shop: Product) -> None:
    assert links(shop, "code", "tracker") == {
        ("README.md", "issues/3.md"),
        ("auth/token_check.py", "issues/7.md"),
        ("issues/3.md", "issues/7.md"),
        ("shop/cart.py", "wiki/Token_guide.md"),
    }


def test_sources_that_are_not_asked_for_take_no_part(shop: Product) -> None:
    assert links(shop, "tracker") == {("issues/3.md", "issues/7.md")}
    assert links(shop, "code") == set()


def test_numbers_mean_nothing_with_two_trackers(shop: Product, tmp_path: Path) -> None:
    index_documents(tmp_path / "other", "shop", PAGES, name="other")
    found = links(shop, "code", "tracker", "other")
    assert ("auth/token_check.py", "issues/7.md") not in found
    assert ("shop/cart.py", "wiki/Token_guide.md") in found
